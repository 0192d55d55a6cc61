import { runProcess } from './core/process.js';

runProcess('web', async () => (await import('./start-web.js')).startWeb);
