// Runs before the first paint, so that no light page flashes in a dark room. `src/lib/state/colour-mode.ts` goes on from here.
(() => {
  let stored = null;
  try {
    stored = sessionStorage.getItem('lotwatch-colour-mode') ?? localStorage.getItem('lotwatch-colour-mode');
  } catch {
    // Storage may be forbidden; the system's choice still holds.
  }
  const dark = stored ? stored === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.classList.add(dark ? 'dark' : 'light');
  document.documentElement.style.colorScheme = dark ? 'dark' : 'light';
  // Both, for a choice made here holds whatever the system prefers.
  for (const bar of document.querySelectorAll('meta[name="theme-color"]'))
    bar.setAttribute('content', dark ? '#0C1413' : '#F7F6F2');
})();
