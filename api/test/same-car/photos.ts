import sharp from 'sharp';
import { shapes } from '../../demo/bodies.ts';
import { drawPhoto } from '../../demo/photo.ts';
import { makeRandom } from '../../lab/random.ts';

const WIDTH = 480;
const HEIGHT = 360;

/** `scene`: surfaces and edges; `noise`: clouds of every size, nothing else; `drawn`: the demo marketplace's car. */
export type PhotoKind = 'scene' | 'noise' | 'drawn';

/** Clouds: random points at several sizes, smoothed and laid over each other. */
async function noise(random: () => number): Promise<Buffer> {
  const layers = await Promise.all(
    [
      [4, 3, 0.5],
      [12, 9, 0.25],
      [48, 36, 0.15],
      [240, 180, 0.1],
    ].map(async ([width = 1, height = 1, weight = 1]) => {
      const points = Buffer.from(Array.from({ length: width * height * 3 }, () => Math.floor(random() * 256)));
      const layer = await sharp(points, { raw: { width, height, channels: 3 } })
        .resize(WIDTH, HEIGHT, { fit: 'fill', kernel: 'cubic' })
        .raw()
        .toBuffer();
      return { layer, weight };
    }),
  );
  const mixed = Buffer.alloc(WIDTH * HEIGHT * 3);
  for (let index = 0; index < mixed.length; index += 1) {
    mixed[index] = layers.reduce((sum, { layer, weight }) => sum + (layer[index] ?? 0) * weight, 0);
  }
  return mixed;
}

/** A lot, a sky, a car-like body of one colour, and other objects. */
function scene(random: () => number): string {
  const color = () =>
    `hsl(${Math.floor(random() * 360)} ${Math.floor(random() * 70)}% ${20 + Math.floor(random() * 60)}%)`;
  const between = (low: number, high: number) => Math.round(low + random() * (high - low));
  const things = Array.from({ length: between(5, 14) }, () =>
    random() < 0.5
      ? `<rect x="${between(-20, 460)}" y="${between(0, 300)}" width="${between(20, 160)}" height="${between(20, 160)}" fill="${color()}" opacity=".7"/>`
      : `<ellipse cx="${between(0, 480)}" cy="${between(40, 340)}" rx="${between(10, 90)}" ry="${between(10, 70)}" fill="${color()}" opacity=".7"/>`,
  ).join('');
  const [x, y, width] = [between(60, 140), between(150, 220), between(220, 300)];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <rect width="480" height="360" fill="${color()}"/><rect y="${between(160, 260)}" width="480" height="360" fill="${color()}"/>
    ${things}<rect x="${x}" y="${y}" width="${width}" height="80" rx="24" fill="${color()}"/>
    <rect x="${x + 50}" y="${y - 45}" width="${width - 110}" height="60" rx="20" fill="${color()}"/>
    <circle cx="${x + 55}" cy="${y + 80}" r="30" fill="#222"/><circle cx="${x + width - 55}" cy="${y + 80}" r="30" fill="#222"/></svg>`;
}

/** A seller's photo as PNG; the same for the same seed. */
export async function takePhoto(kind: PhotoKind, seed: number): Promise<Buffer> {
  const random = makeRandom(seed);
  if (kind === 'noise') {
    return sharp(await noise(random), { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
      .png({ compressionLevel: 1 })
      .toBuffer();
  }
  if (kind === 'scene')
    return sharp(Buffer.from(scene(random)))
      .png({ compressionLevel: 1 })
      .toBuffer();
  const bodies = Object.keys(shapes) as (keyof typeof shapes)[];
  const body = bodies[Math.floor(random() * bodies.length)] ?? 'sedan';
  const color = ['black', 'white', 'silver', 'blue', 'red'][Math.floor(random() * 5)] ?? 'black';
  return sharp(Buffer.from(drawPhoto({ body, color }, Math.floor(random() * 1e6), Math.floor(random() * 6))))
    .resize(WIDTH, HEIGHT)
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** The photo as a relisting shows it: cropped by a tenth, or compressed again, or both. */
export async function changePhoto(photo: Buffer, seed: number, how: 'crop' | 'pack' | 'both'): Promise<Buffer> {
  const random = makeRandom(seed);
  const { width = WIDTH, height = HEIGHT } = await sharp(photo).metadata();
  let changed = sharp(photo);
  if (how !== 'pack') {
    const side = random();
    // Cropped on all sides, on the left or right, or at the top or bottom.
    const kept = { width: side < 0.8 ? 0.9 : 1, height: side < 0.6 || side >= 0.8 ? 0.9 : 1 };
    const [w, h] = [Math.round(width * kept.width), Math.round(height * kept.height)];
    changed = changed.extract({
      left: Math.floor(random() * (width - w + 1)),
      top: Math.floor(random() * (height - h + 1)),
      width: w,
      height: h,
    });
  }
  const quality = how === 'crop' ? 90 : 40 + Math.floor(random() * 51);
  return random() < 0.6 ? changed.jpeg({ quality }).toBuffer() : changed.webp({ quality }).toBuffer();
}
