import { runProcess } from './core/process.js';

runProcess('worker', async () => (await import('./start-worker.js')).startWorker);
