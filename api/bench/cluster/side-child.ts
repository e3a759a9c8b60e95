import { makeSide, type SideOptions } from './side.ts';

/** One side in a process of its own, which answers each request with what it measured. */
export type Request = { match: number } | 'time' | 'end';

const side = await makeSide(JSON.parse(process.argv[2] ?? '') as SideOptions);
process.send?.('ready');
process.on('message', async (request: Request) => {
  if (request === 'end') {
    await side[Symbol.asyncDispose]();
    process.send?.('ended');
  } else process.send?.(request === 'time' ? await side.time() : await side.match(request.match));
});
process.once('disconnect', () => process.exit());
