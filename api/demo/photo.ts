import { type Shape, shapes } from './bodies.ts';
import type { DemoCar } from './car.ts';
import { hash } from './random.ts';

/** The paint, and its shade below the belt line. */
const paints: Record<string, readonly [string, string]> = {
  black: ['#2B3134', '#1C2123'],
  white: ['#F0F3F1', '#DCE1DF'],
  silver: ['#BAC3C6', '#A2ACB0'],
  gray: ['#7A8488', '#656F73'],
  blue: ['#35618D', '#284E75'],
  red: ['#8A2F2C', '#702320'],
  green: ['#40714F', '#325C40'],
  yellow: ['#E2BC45', '#C9A232'],
  orange: ['#CF7335', '#B45F27'],
  brown: ['#6F4F3B', '#5A3F2E'],
  gold: ['#BB9E60', '#A2874C'],
  beige: ['#D0C1A4', '#B9A98B'],
  purple: ['#60497B', '#4D3965'],
};

/** Sky, haze and ground of a lot at one hour of the day. */
const hours = [
  ['#C6D8DA', '#E7E2D6', '#BDB4A4'],
  ['#CFDCE2', '#ECE8DE', '#B8B2A6'],
  ['#D9D6D2', '#EFE3CF', '#BCAE99'],
  ['#BFD2CF', '#E2E2D6', '#AFAFA2'],
] as const;

/** The views of the photos: x, y, width and height, and whether the nose points left. */
const views = [
  [0, 0, 800, 600, false],
  [0, 0, 800, 600, true],
  [372, 214, 400, 300, false],
  [28, 214, 400, 300, false],
  [60, 90, 680, 510, true],
  [300, 300, 300, 225, false],
] as const;

const CENTER_X = 400;
const WHEELS_Y = 452;

function wheel(x: number, radius: number): string {
  const spokes = [0, 72, 144, 216, 288]
    .map((angle) => `<path d="M0 ${-radius * 0.12}V${-radius * 0.52}" transform="rotate(${angle})"/>`)
    .join('');
  return `<g transform="translate(${x} 0)"><circle r="${radius + 7}" fill="#1A2022" opacity=".82"/>
<circle r="${radius}" fill="#22292B"/><circle r="${radius * 0.6}" fill="#AEB8BA"/><circle r="${radius * 0.5}" fill="#8E999C"/>
<g stroke="#C8D0D1" stroke-width="${radius * 0.14}" stroke-linecap="round">${spokes}</g><circle r="${radius * 0.13}" fill="#5C676A"/></g>`;
}

function drawnCar(shape: Shape, color: string): string {
  const [paint, shade] = paints[color] ?? ['#4A8084', '#3A696D'];
  const [noseX, noseY] = shape.nose;
  const [tailX, tailY] = shape.tail;
  const half = (shape.wheels[1] - shape.wheels[0]) / 2 + 106;
  const seamColor = color === 'black' ? '#FFFFFF' : '#0C1413';
  return `<clipPath id="body"><path d="${shape.outline}"/></clipPath>
<ellipse cx="0" cy="${shape.wheelRadius + 4}" rx="${half + 42}" ry="19" fill="#3A3832" opacity=".2"/>
<ellipse cx="0" cy="${shape.wheelRadius}" rx="${half}" ry="11" fill="#2A2924" opacity=".34"/>
<path d="${shape.outline}" fill="${paint}"/>
<g clip-path="url(#body)"><rect x="-330" y="-34" width="660" height="60" fill="${shade}"/>
<rect x="-330" y="-40" width="660" height="6" fill="${shade}" opacity=".5"/>
<rect x="-330" y="-6" width="660" height="24" fill="#12201F" opacity=".5"/></g>
${shape.windows.map((path) => `<path d="${path}" fill="url(#glass)" stroke="#12201F" stroke-opacity=".28" stroke-width="3"/>`).join('')}
<g fill="none" stroke="${seamColor}" stroke-opacity=".2" stroke-width="2.5">${shape.seams.map((path) => `<path d="${path}"/>`).join('')}</g>
<g fill="${seamColor}" opacity=".34">${shape.handles.map(([x, y]) => `<rect x="${x - 13}" y="${y}" width="26" height="5" rx="2.5"/>`).join('')}</g>
<g clip-path="url(#body)"><rect x="${noseX - 12}" y="${noseY - 9}" width="46" height="17" rx="8" fill="#F6B02C"/>
<rect x="${noseX - 12}" y="${noseY - 9}" width="46" height="6" rx="3" fill="#FFE2A3" opacity=".8"/>
<rect x="${tailX - 6}" y="${tailY}" width="22" height="26" rx="6" fill="#B3261E"/></g>
${shape.wheels.map((x) => wheel(x, shape.wheelRadius)).join('')}`;
}

function lot(hour: readonly [string, string, string], variation: number): string {
  const trees = Array.from({ length: 9 }, (_, index) => {
    const x = index * 104 - 20 + (hash(variation, index) % 40);
    const size = 34 + (hash(variation, index, 1) % 34);
    return `<ellipse cx="${x}" cy="396" rx="${size * 1.25}" ry="${size}"/>`;
  }).join('');
  const lines = [-330, -110, 110, 330, 550, 770, 990, 1150]
    .map((x) => `<path d="M${x} 404 L${(x - 400) * 1.9 + 400} 600"/>`)
    .join('');
  return `<rect width="800" height="600" fill="url(#sky)"/><g fill="#7C8F86" opacity=".2">${trees}</g>
<rect y="400" width="800" height="200" fill="${hour[2]}"/><rect y="400" width="800" height="200" fill="url(#ground)"/>
<g stroke="#FFFFFF" stroke-opacity=".26" stroke-width="5">${lines}</g>`;
}

/** Draws the n-th photo of a car in its colour. 800 × 600. */
export function drawPhoto(car: Pick<DemoCar, 'body' | 'color'>, variation: number, n: number): string {
  const [x, y, width, height, mirrored] = views[n % views.length] ?? views[0];
  const hour = hours[variation % hours.length] ?? hours[0];
  const flip = mirrored ? ' scale(-1 1)' : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 600" width="800" height="600" role="img" aria-label="Drawing of a ${car.color} ${car.body}, a demo car">
<defs><linearGradient id="sky" x2="0.25" y2="1"><stop stop-color="${hour[0]}"/><stop offset=".72" stop-color="${hour[1]}"/></linearGradient>
<linearGradient id="ground" x2="0" y2="1"><stop stop-color="${hour[1]}" stop-opacity=".75"/><stop offset="1" stop-color="#4D473C" stop-opacity=".14"/></linearGradient>
<linearGradient id="glass" x2="1" y2="1"><stop stop-color="#E3ECEE"/><stop offset="1" stop-color="#B4C6CC"/></linearGradient></defs>
<svg viewBox="${x} ${y} ${width} ${height}" width="800" height="600">${lot(hour, variation)}
<g transform="translate(${CENTER_X} ${WHEELS_Y})${flip}">${drawnCar(shapes[car.body], car.color)}</g></svg></svg>`;
}
