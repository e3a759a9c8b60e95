// Runs before the first paint: chooses the colours, and keeps what is done on a page that the server drew until the app,
// which `src/main.tsx` begins, has taken the page over.
(() => {
  const root = document.documentElement;
  let stored = null;
  try {
    stored = sessionStorage.getItem('lotwatch-colour-mode') ?? localStorage.getItem('lotwatch-colour-mode');
    if (root.dataset.starts && localStorage.getItem('cookie-consent')) root.dataset.choseCookies = '';
    const map = sessionStorage.getItem('lotwatch-map') ?? localStorage.getItem('lotwatch-map');
    if (root.dataset.starts && map) root.dataset.map = map;
  } catch {
    // Storage may be forbidden; the system's choice still holds.
  }
  // No light page flashes in a dark room. `src/lib/state/colour-mode.ts` goes on from here.
  const system = matchMedia('(prefers-color-scheme: dark)');
  function paint() {
    const dark = stored ? stored === 'dark' : system.matches;
    root.classList.toggle('dark', dark);
    root.classList.toggle('light', !dark);
    root.style.colorScheme = dark ? 'dark' : 'light';
    // Both, for a choice made here holds whatever the system prefers.
    for (const bar of document.querySelectorAll('meta[name="theme-color"]'))
      bar.setAttribute('content', dark ? '#0C1413' : '#F7F6F2');
  }
  paint();

  // 'late': at the first sign of somebody. 'live': then, or after some seconds, as its figures age. 'soon': once it is loaded.
  const { starts } = root.dataset;
  if (!starts) return;
  const LIVE_AFTER_MS = 20_000;
  const SOON_MS = 4_000;
  const signs = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'scroll', 'keydown', 'focusin', 'input'];
  /** Presses of buttons and forms, and controls with what was typed or chosen, in the order of their last use. */
  let acts = [];
  const chosenIn = (control) => (/^(checkbox|radio)$/.test(control.type) ? control.checked : control.value);

  function keep(event, press) {
    event.preventDefault();
    event.stopPropagation();
    acts.push(press);
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
  function onKey(event) {
    // The arrows of tabs; all other keys work by themselves, or through clicks and inputs.
    const tab = /^(Arrow|Home|End)/.test(event.key) && event.target.closest?.('[role="tab"]');
    if (tab) keep(event, { key: event.key, target: tab });
  }
  const onSubmit = (event) => keep(event, { form: event.target, button: event.submitter });
  /** The service worker asks for the page of a pressed push message, as in `src/lib/server/push/browser-push.ts`. */
  function onMessage(event) {
    const path = event.data?.open;
    if (typeof path !== 'string' || !/^\/(?!\/)/.test(path)) return;
    event.stopImmediatePropagation();
    location.assign(path);
  }
  const onInput = ({ target }) => {
    acts = [...acts.filter(({ control }) => control !== target), { control: target, value: chosenIn(target) }];
  };
  /** Photos that could not be loaded, in whose place the app draws something. */
  const broken = [];
  const onError = ({ target }) => broken.push(target);
  const kept = [
    ['error', onError],
    ['click', onClick],
    ['submit', onSubmit],
    ['keydown', onKey],
    ['input', onInput],
    ['change', onInput],
  ];

  /** Lets React see a value as if it were typed now. */
  function refill({ control: former, value }) {
    // A press before may have brought another form with such a field.
    const control = former.isConnected ? former : document.querySelector(`#root [name="${CSS.escape(former.name)}"]`);
    if (!control || control.disabled) return;
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
  function press({ form, button, key, target }) {
    button?.removeAttribute('data-heard');
    if (key) target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    else if (form) form.requestSubmit(button?.isConnected ? button : undefined);
    else button.click();
  }
  const nextTask = () => new Promise((resolve) => setTimeout(resolve));
  async function handOver() {
    // What is pressed inside of React's own work would be lost; until then it is kept.
    await nextTask();
    delete root.dataset.choseCookies;
    delete root.dataset.map;
    delete root.dataset.starts;
    for (const [name, listener] of kept) document.removeEventListener(name, listener, true);
    system.removeEventListener('change', paint);
    navigator.serviceWorker?.removeEventListener('message', onMessage);
    for (const image of broken) image.dispatchEvent(new Event('error'));
    // What was opened by itself; its content may be made only now.
    for (const opened of document.querySelectorAll('#root details[open]')) opened.dispatchEvent(new Event('toggle'));
    let former;
    for (const act of acts) {
      // What a press does is drawn before the next, and what was typed is known to it.
      if (former && !(former.control && act.control)) await nextTask();
      if (act.control) refill(act);
      else press(act);
      former = act;
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
    else void load();
  }
  async function load() {
    const scripts = JSON.parse(document.getElementById('scripts').textContent);
    for (const href of scripts) {
      const link = document.createElement('link');
      Object.assign(link, { rel: 'modulepreload', href });
      document.head.append(link);
    }
    // What a browser filled in by itself came without an event.
    for (const control of document.querySelectorAll('#root :is(input, textarea)'))
      if (chosenIn(control) !== (control.type === 'checkbox' ? control.defaultChecked : control.defaultValue))
        if (!acts.some((act) => act.control === control)) onInput({ target: control });
    try {
      // The app, which is the first, after what it needs: each begins in a task of its own.
      for (const href of scripts.reverse()) await import(href);
    } catch {
      goOnWithout();
    }
  }
  /** The app can't be loaded: forms go to the server, and the page is loaded again, since its scripts may be of a former version. */
  function goOnWithout() {
    const pressed = acts.filter(({ control }) => !control);
    const form = pressed.find((one) => one.form?.method === 'post')?.form;
    if (form) form.submit();
    else if (pressed.length > 0 && navigator.onLine) location.reload();
    for (const { button } of pressed) button?.removeAttribute('data-heard');
    acts = acts.filter(({ control }) => control);
  }

  /** A page that the app had before appears where it was left, as the app does it: by the key of `src/shell/KeptScroll.tsx`. */
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
  system.addEventListener('change', paint);
  navigator.serviceWorker?.addEventListener('message', onMessage);
  document.addEventListener('DOMContentLoaded', restoreScroll);
  document.addEventListener('hydrated', handOver, { once: true });
  for (const sign of signs) addEventListener(sign, onSign, { capture: true, passive: true });
  addEventListener('load', () => {
    if (starts === 'soon') setTimeout(start);
    if (starts === 'live') setTimeout(start, LIVE_AFTER_MS);
  });
  // A photo that does not come must not hold up the app.
  if (starts === 'soon') document.addEventListener('DOMContentLoaded', () => setTimeout(start, SOON_MS));
})();
