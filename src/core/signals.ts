/**
 * Calls `stop` with the reason on SIGTERM, SIGINT and the end of the parent's IPC channel, and `reload`
 * on SIGHUP. On a terminal SIGHUP stops as well: it means that the terminal was closed.
 */
export function handleSignals({
  stop,
  reload,
}: {
  stop: (reason: string) => void;
  reload: () => void;
}): void {
  // The handlers stay: launchers pass on a signal that the terminal has sent us already.
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, stop);
  if (process.connected) process.on('disconnect', () => stop('disconnect'));
  process.on('SIGHUP', () => (process.stdout.isTTY ? stop('SIGHUP') : reload()));
}
