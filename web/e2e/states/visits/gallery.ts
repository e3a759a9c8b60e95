/** A picture in the index. */
export interface Picture {
  /** Name of its state, `page/condition`. */
  state: string;
  size: string;
  theme: string;
  file: string;
  /** Expected texts that the state did not show. */
  faults: string[];
}

const safe = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign);

const figure = ({
  state,
  size,
  theme,
  file,
  faults,
}: Picture): string => `<figure data-name="${safe(state)}" data-size="${size}" data-theme="${theme}">
<a href="${file}"><img src="${file}" alt="" loading="lazy"></a>
<figcaption>${safe(state)} <small>${size}, ${theme}</small>${faults.map((fault) => `<b>${safe(fault)}</b>`).join('')}</figcaption></figure>`;

const choice = (name: string, values: readonly string[]): string =>
  values
    .map((value) => `<label><input type="checkbox" name="${name}" value="${value}" checked> ${value}</label>`)
    .join('');

/** The index of all pictures by page, with a filter and switches for size and theme. */
export function galleryPage(pictures: readonly Picture[]): string {
  const sizes = [...new Set(pictures.map(({ size }) => size))];
  const pages = Map.groupBy(pictures, ({ state }) => state.split('/')[0] ?? '');
  const sections = [...pages].map(
    ([page, those]) => `<section><h2>${safe(page)}</h2><div>${those.map(figure).join('\n')}</div></section>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>LotWatch, every state</title>
<style>
:root { color-scheme: light dark; font: 14px/1.4 system-ui, sans-serif; }
body { margin: 0; } h2 { margin: 24px 16px 8px; }
header { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 6px 18px; align-items: center; padding: 10px 16px; background: Canvas; border-bottom: 1px solid GrayText; }
header input[type=search] { font: inherit; padding: 6px 10px; min-width: 16em; }
section > div { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 16px; padding: 0 16px; }
figure { margin: 0; } img { display: block; border: 1px solid GrayText; border-radius: 6px; }
figure img { width: 220px; } [data-size=desktop] img { width: 460px; }
figcaption { max-width: 220px; padding: 4px 0; } [data-size=desktop] figcaption { max-width: 460px; }
small { color: GrayText; } b { display: block; color: #b3261e; } .off { display: none; }
</style>
<header><strong>${pictures.length} pictures</strong><input type="search" placeholder="Filter by name" aria-label="Filter by name">
<span>${choice('size', sizes)}</span><span>${choice('theme', ['light', 'dark'])}</span></header>
<main>${sections.join('\n')}</main>
<script>
const filter = document.querySelector('[type=search]');
const boxes = [...document.querySelectorAll('[type=checkbox]')];
const show = () => {
  const off = boxes.filter((box) => !box.checked).map((box) => box.value);
  for (const one of document.querySelectorAll('figure'))
    one.classList.toggle('off', !one.dataset.name.includes(filter.value) || off.some((name) => [one.dataset.size, one.dataset.theme].includes(name)));
  for (const section of document.querySelectorAll('section'))
    section.classList.toggle('off', !section.querySelector('figure:not(.off)'));
};
document.querySelector('header').addEventListener('input', show);
</script></html>
`;
}
