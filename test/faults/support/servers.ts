import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('keep-servers.js', import.meta.url));

export type ServerName = 'database' | 'queue';

interface Answer {
  id: number;
  error?: string;
  databaseUrl?: string;
  redisUrl?: string;
}

/** A PostgreSQL and a Redis of one stack, which keep data and addresses over a `kill -9`. */
export class Servers {
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private orders = 0;

  private constructor(
    private readonly keeper: ChildProcess,
    readonly databaseUrl: string,
    readonly redisUrl: string,
  ) {
    keeper.on('message', (answer: Answer) => this.waiting.get(answer.id)?.(answer));
  }

  /** Starts both below `folder`. */
  static async start(folder: string): Promise<Servers> {
    const keeper = fork(PROGRAM, [folder], { execArgv: [] });
    const [first] = (await Promise.race([
      once(keeper, 'message'),
      once(keeper, 'exit').then(([code]) => Promise.reject(new Error(`servers: code ${code}`))),
    ])) as [Answer];
    return new Servers(keeper, first.databaseUrl ?? '', first.redisUrl ?? '');
  }

  /** SIGKILL to the server and all its processes; resolves when they are gone. */
  kill(name: ServerName): Promise<void> {
    return this.order('kill', name);
  }

  /** Starts it on the data it left; resolves when it answers. */
  restart(name: ServerName): Promise<void> {
    return this.order('start', name);
  }

  async stop(): Promise<void> {
    const gone = once(this.keeper, 'exit');
    this.keeper.disconnect();
    await gone;
  }

  private async order(verb: 'kill' | 'start', name: ServerName): Promise<void> {
    this.orders += 1;
    const id = this.orders;
    const answered = new Promise<Answer>((resolve) => this.waiting.set(id, resolve));
    this.keeper.send({ id, verb, name });
    const { error } = await answered;
    this.waiting.delete(id);
    if (error !== undefined) throw new Error(`${verb} ${name}: ${error}`);
  }
}
