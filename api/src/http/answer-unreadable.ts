import type { Server } from 'node:http';
import { endConnection } from './end-connection.ts';

const answers: Readonly<Record<string, { status: string; code: string; message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: 'TOO_LARGE',
    message: 'The headers of the request are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: 'MALFORMED',
    message: 'The request did not come in time.',
  },
};
const unreadable = { status: '400 Bad Request', code: 'MALFORMED', message: 'The request could not be read.' };

/** What can't even be read as HTTP gets an error like every other. */
export function answerUnreadable(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const { status, ...described } = answers[error.code ?? ''] ?? unreadable;
    const body = JSON.stringify(described);
    const head = [`HTTP/1.1 ${status}`, 'Connection: close', 'Content-Type: application/json; charset=utf-8'];
    endConnection(socket, head, body);
  });
}
