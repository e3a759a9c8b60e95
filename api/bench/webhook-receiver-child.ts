import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A dealer's server in a process of its own. It sends its address, and on request how many posts and ids came. */
let posts = 0;
const ids = new Set<string>();
const server = createServer((request, response) => {
  posts += 1;
  const id = request.headers['webhook-id'];
  if (typeof id === 'string') ids.add(id);
  request.resume();
  request.once('end', () => response.end('ok'));
});
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
process.on('message', () => {
  process.send?.({ posts, ids: ids.size });
  posts = 0;
  ids.clear();
});
process.once('disconnect', () => process.exit());
