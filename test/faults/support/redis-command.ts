import { connect } from 'node:net';

/** Sends one command to a Redis with a password; throws with what it complains about. */
export function redisCommand(redisUrl: string, command: string): Promise<void> {
  const { hostname, port, password } = new URL(redisUrl);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let answer = '';
    socket.once('error', reject);
    socket.on('data', (chunk) => {
      answer += chunk.toString();
      if (answer.split('\r\n').length <= 2) return;
      socket.destroy();
      if (/^-/m.test(answer)) reject(new Error(answer));
      else resolve();
    });
    socket.write(`AUTH ${password}\r\n${command}\r\n`);
  });
}
