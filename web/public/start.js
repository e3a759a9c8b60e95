// Runs before the first paint: chooses the colours, and keeps what is done on a page that the server drew until the app,
// which `src/main.tsx` begins, has taken the page over.
(() => {
  const root = document.documentElement;
  let stored = null;
  try {
    stored = sessionStorage.getItem('lotwatch-colour-mode') ?? localStorage.getItem('lotwatch-colour-mode');
    if (root.dataset.starts && localStorage.getItem('cookie-consent')) root.dataset.choseCookies = '';
  } catch {
    // Storage may be forbidden; the system's choice still holds.
  }
  // No light page flashes in a dark room. `src/lib/state/colour-mode.ts` goes on from here.
  const dark = stored ? stored === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.classList.add(dark ? 'dark' : 'light');
  root.style.colorScheme = dark ? 'dark' : 'light';
  // Both, for a choice made here holds whatever the system prefers.
  for (const bar of document.querySelectorAll('meta[name="theme-color"]'))
    bar.setAttribute('content', dark ? '#0C1413' : '#F7F6F2');

  // 'late': at the first sign of somebody. 'live': then, or after some seconds, as its figures age. 'soon': once it is loaded.
  const { starts } = root.dataset;
  if (!starts) return;
  const LIVE_AFTER_MS = 20_000;
  const signs = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'scroll', 'keydown', 'focusin', 'input'];
  /** What was pressed: buttons and forms, in their order. */
  const pressed = [];
  /** Controls, with what was typed or chosen. */
  const filled = new Map();
  const chosenIn = (control) => (/^(checkbox|radio)$/.test(control.type) ? control.checked : control.value);

  function keep(event, press) {
    event.preventDefault();
    event.stopPropagation();
    pressed.push(press);
    press.button?.setAttribute('data-heard', '');
    start();
  }
  function onClick(event) {
    // Links, checkboxes, summaries and forms work by themselves.
    const button = event.target.closest?.('a[href], button, summary, label');
    if (button?.tagName === 'BUTTON' && button.type === 'button') keep(event, { button });
    // The browser follows it; a page that is being taken over must not do so as well.
    if (button?.tagName === 'A') event.stopPropagation();
  }
  const onSubmit = (event) => keep(event, { form: event.target, button: event.submitter });
  const onInput = ({ target }) => {
    filled.delete(target);
    filled.set(target, chosenIn(target));
  };
  const kept = [
    ['click', onClick],
    ['submit', onSubmit],
    ['input', onInput],
    ['change', onInput],
  ];

  /** Lets React see a value as if it were typed now. */
  function refill(control, value) {
    if (!control.isConnected || control.disabled) return;
    if (typeof value === 'boolean') {
      control.checked = !value;
      control.click();
    } else if (control.tagName === 'SELECT') {
      control.value = value;
      control.dispatchEvent(new Event('change', { bubbles: true }));
    } else {
      const { selectionStart, selectionEnd } = control;
      // React has replaced the property, and compares with what was set through it.
      control.value = value === '' ? ' ' : '';
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value').set.call(control, value);
      if (selectionStart !== null) control.setSelectionRange(selectionStart, selectionEnd);
      control.dispatchEvent(new Event('input', { bubbles: true }));
    }
    if (control !== document.activeElement) control.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
  }
  function press({ form, button }) {
    button?.removeAttribute('data-heard');
    if (form) form.requestSubmit(button?.isConnected ? button : undefined);
    else button.click();
  }
  async function handOver() {
    delete root.dataset.choseCookies;
    for (const [name, listener] of kept) document.removeEventListener(name, listener, true);
    for (const [control, value] of filled) refill(control, value);
    for (const one of pressed) {
      // What came before is drawn first.
      await new Promise((resolve) => setTimeout(resolve));
      press(one);
    }
  }

  function onSign({ type, movementX, movementY }) {
    // A page that appears under a resting mouse hears of it, too.
    if (type !== 'pointermove' || movementX !== 0 || movementY !== 0) start();
  }
  let isStarted = false;
  function start() {
    if (isStarted) return;
    isStarted = true;
    for (const sign of signs) removeEventListener(sign, onSign, true);
    if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', load);
    else load();
  }
  function load() {
    const scripts = JSON.parse(document.getElementById('scripts').textContent);
    for (const href of scripts) {
      const link = document.createElement('link');
      Object.assign(link, { rel: 'modulepreload', href });
      document.head.append(link);
    }
    // What a browser filled in by itself came without an event.
    for (const control of document.querySelectorAll('#root :is(input, textarea)'))
      if (chosenIn(control) !== (control.type === 'checkbox' ? control.defaultChecked : control.defaultValue))
        if (!filled.has(control)) onInput({ target: control });
    import(scripts[0]).catch(goOnWithout);
  }
  /** The app can't be loaded: forms go to the server, and the page is loaded again, since its scripts may be of a former version. */
  function goOnWithout() {
    const form = pressed.find((one) => one.form?.method === 'post')?.form;
    if (form) form.submit();
    else if (pressed.length > 0 && navigator.onLine) location.reload();
    for (const { button } of pressed.splice(0)) button?.removeAttribute('data-heard');
  }

  /** A page that the app had before appears where it was left, as the app itself would do it. */
  function restoreScroll() {
    try {
      const places = JSON.parse(sessionStorage.getItem('react-router-scroll-positions') ?? '{}');
      const key = history.state?.key ?? location.pathname.replace(/^\/shared\/.*/i, '/shared');
      if (history.scrollRestoration === 'manual' && places[key] > 0) scrollTo(0, places[key]);
    } catch {
      // Storage may be forbidden; then it begins at its top.
    }
  }

  for (const [name, listener] of kept) document.addEventListener(name, listener, true);
  document.addEventListener('DOMContentLoaded', restoreScroll);
  document.addEventListener('hydrated', handOver, { once: true });
  for (const sign of signs) addEventListener(sign, onSign, { capture: true, passive: true });
  addEventListener('load', () => {
    if (starts === 'soon') setTimeout(start);
    if (starts === 'live') setTimeout(start, LIVE_AFTER_MS);
  });
})();
