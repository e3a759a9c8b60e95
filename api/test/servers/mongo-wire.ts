import { createServer, type Server, type Socket } from 'node:net';
import { BSON } from 'mongodb';

export type Document = BSON.Document;

/** Answers a command as it came, whose values keep their types of BSON: once, or again and again; null closes the connection. */
export type AnswerCommand = (command: Document, socket: Socket) => Promise<Document | AsyncIterable<Document> | null>;

const HEADER_BYTES = 16;
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const MORE_TO_COME = 2;
const typed = { promoteValues: false, promoteBuffers: false } as const;

function bodyOf(message: Buffer): Document {
  const opCode = message.readInt32LE(12);
  if (opCode === OP_QUERY) {
    const nameEnd = message.indexOf(0, HEADER_BYTES + 4);
    return BSON.deserialize(message.subarray(nameEnd + 9), typed);
  }
  if (opCode !== OP_MSG) throw new Error(`unknown operation ${opCode}`);
  let command: Document = {};
  for (let at = HEADER_BYTES + 4; at < message.length; ) {
    const kind = message[at];
    const size = message.readInt32LE(at + 1);
    const section = message.subarray(at + 1, at + 1 + size);
    if (kind === 0) command = { ...BSON.deserialize(section, typed), ...command };
    else {
      const nameEnd = section.indexOf(0, 4);
      const documents: Document[] = [];
      for (let next = nameEnd + 1; next < size; next += section.readInt32LE(next)) {
        documents.push(BSON.deserialize(section.subarray(next, next + section.readInt32LE(next)), typed));
      }
      command[section.subarray(4, nameEnd).toString()] = documents;
    }
    at += 1 + size;
  }
  return command;
}

function encode(to: Buffer, answer: Document, flags = 0): Buffer {
  const body = BSON.serialize(answer);
  const isQuery = to.readInt32LE(12) === OP_QUERY;
  // OP_REPLY: flags, cursor, position and count; OP_MSG: flags and the kind of its one section.
  const head = Buffer.alloc(HEADER_BYTES + (isQuery ? 20 : 5));
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(to.readInt32LE(4), 8);
  head.writeInt32LE(isQuery ? OP_REPLY : OP_MSG, 12);
  if (isQuery) head.writeInt32LE(1, HEADER_BYTES + 16);
  else head.writeInt32LE(flags, HEADER_BYTES);
  return Buffer.concat([head, body]);
}

/** Serves MongoDB's protocol, one command of a connection at a time. */
export async function serveMongo(
  answer: AnswerCommand,
  port = 0,
): Promise<{ port: number; cut(): void; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    let waiting = Buffer.alloc(0);
    let turn = Promise.resolve();
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      waiting = Buffer.concat([waiting, chunk]);
      while (waiting.length >= HEADER_BYTES && waiting.length >= waiting.readInt32LE(0)) {
        const message = waiting.subarray(0, waiting.readInt32LE(0));
        waiting = waiting.subarray(message.length);
        const next = turn.then(async () => {
          const reply = await answer(bodyOf(message), socket);
          if (reply === null) socket.destroy();
          else if (Symbol.asyncIterator in reply) {
            for await (const one of reply as AsyncIterable<Document>) {
              if (socket.destroyed) break;
              socket.write(encode(message, one, MORE_TO_COME));
            }
          } else if (!socket.destroyed) socket.write(encode(message, reply));
        });
        turn = next.catch(() => void socket.destroy());
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    cut,
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
