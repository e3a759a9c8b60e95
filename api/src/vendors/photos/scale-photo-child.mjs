// Scales sellers' photos in a process of its own: the memory of the decoder is free again once it ends, it has a low
// priority, and a photo that breaks the decoder reaches no secret. Plain JavaScript, so that it needs neither bundle nor compiler.
import { setPriority } from 'node:os';
import sharp from 'sharp';

// Beside busy processes it gets a quarter of a core.
setPriority(5);
sharp.concurrency(1);
sharp.cache(false);
// It reads nothing but what sellers' photos are.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}Buffer`),
});

/** The largest photo of a phone. */
const MAX_PIXELS = 60_000_000;
/** Of a photo that is decoded whole, beside the process itself. */
const MAX_BYTES = 100_000_000;
/** What a pixel of such a photo takes at most, as measured: with transparency, 16 bits a color or unreduced colors. */
const pixelBytes = { jpeg: 7, png: 11, gif: 7, webp: 4, heif: 18 };

/** AVIF of the lowest effort takes as long as WebP, and less than more efforts save. */
const encoders = {
  avif: (photo) => photo.avif({ quality: 55, effort: 0, chromaSubsampling: '4:2:0' }),
  webp: (photo) => photo.webp({ quality: 75, effort: 2 }),
  jpeg: (photo) => photo.flatten({ background: '#ffffff' }).jpeg({ quality: 78, mozjpeg: true }),
};

/** Only a JPEG that is not progressive and a PNG that is not interlaced are read line by line, however large. */
function takesTooMuch({ format, isProgressive, width, height }) {
  if (!isProgressive && ['jpeg', 'png'].includes(format)) return false;
  return width * height * pixelBytes[format] > MAX_BYTES;
}

/** The first picture of a file, upright and in sRGB, without what the camera wrote, such as its place. */
async function scale({ bytes, width, format }) {
  const original = sharp(bytes, { limitInputPixels: MAX_PIXELS, pages: 1, failOn: 'truncated', sequentialRead: true });
  const metadata = await original.metadata();
  // Of even more pixels it is unreadable, below.
  if (metadata.width * metadata.height <= MAX_PIXELS && takesTooMuch(metadata)) return 'unscalable';
  const photo = original.rotate().resize({ width, height: 2 * width, fit: 'inside', withoutEnlargement: true });
  return encoders[format](photo).toBuffer();
}

process.on('disconnect', () => process.exit());
process.on('message', async (asked) => {
  const scaled = await scale(asked).catch(() => 'unreadable');
  if (process.connected) process.send({ id: asked.id, scaled });
});
