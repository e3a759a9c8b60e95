import { connect } from 'node:net';

/** A request for GraphQL whose body lacks its last byte until `finish` is called; the answer is its text as it came. */
export function holdBody(port: number, more: Readonly<Record<string, string>>, body: string) {
  const origin = `http://127.0.0.1:${port}`;
  const length = String(Buffer.byteLength(body));
  const headers = { host: `127.0.0.1:${port}`, origin, 'content-type': 'application/json', 'content-length': length };
  const lines = Object.entries({ ...headers, connection: 'close', ...more }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write(`POST /graphql HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body.slice(0, -1)}`);
  let text = '';
  socket.on('data', (data) => {
    text += data.toString();
  });
  const answered = new Promise<string>((settle) => socket.on('close', () => settle(text)));
  return { answered, finish: () => socket.write(body.slice(-1)) };
}
