import { connect } from 'node:net';

const PATIENCE_MS = 1_000;

/** Sends bytes as they are and gives everything the server answers until it closes. */
export function sendRaw(url: string, bytes: string | Buffer, timeoutMs = 5_000): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const finish = (): void => resolve(Buffer.concat(chunks).toString('latin1'));
    socket.setTimeout(timeoutMs, () => {
      socket.destroy();
      reject(new Error(`no end of the answer, so far: ${Buffer.concat(chunks).toString()}`));
    });
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('close', finish);
    // A server that hangs up on nonsense is a fine answer.
    socket.on('error', finish);
  });
}

/**
 * Sends bytes as they are and closes our end. Gives what came back until the server closed, or
 * until nothing more came for a moment.
 */
export function answerTo(url: string, bytes: Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
    socket.on('error', () => resolve(answer));
    socket.on('close', () => resolve(answer));
  });
}
