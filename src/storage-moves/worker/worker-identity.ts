import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { Injectable } from '@nestjs/common';

/** `host/namespace/process/random`; processes of the same namespace can check each other. */
const OWNER = /^[^/]*\/([^/]*)\/(\d+)-(\d+)\//;
/** Field 22 of proc(5)'s stat, counted from the one behind the name in brackets. */
const START_TIME_FIELD = 19;

const UNKNOWN = '';
const NONE = '0';

/** Name of this worker in leases; another one after every start, even with the same process id. */
@Injectable()
export class WorkerIdentity {
  private readonly namespace = processNamespace();
  readonly name = [
    hostname(),
    this.namespace,
    `${process.pid}-${startTime(process.pid)}`,
    randomBytes(6).toString('hex'),
  ].join('/');

  /**
   * True when the worker of that name is certainly dead: it ran where this one runs, and its
   * process is gone. For workers elsewhere only their lease counts.
   */
  isDead(owner: string): boolean {
    const [, namespace, pid, startedAt] = OWNER.exec(owner) ?? [];
    if (namespace === UNKNOWN || namespace !== this.namespace) return false;
    // A process id may have been given to another process since.
    const found = startTime(Number(pid));
    return found !== UNKNOWN && found !== startedAt;
  }
}

/** Boot ID of the machine and PID namespace; empty where the system does not provide them. */
function processNamespace(): string {
  return readOptional(() => {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}.${readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')}`;
  }, UNKNOWN);
}

/** When the process started, in ticks since the boot; NONE when there is no such process. */
function startTime(pid: number): string {
  return readOptional(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[START_TIME_FIELD] ?? UNKNOWN;
  }, NONE);
}

function readOptional(read: () => string, missing: string): string {
  try {
    return read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return missing;
    if (code === 'EACCES') return UNKNOWN;
    throw error;
  }
}
