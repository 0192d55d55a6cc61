import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { Injectable } from '@nestjs/common';

/** Name of this worker in leases; another one after every start, even with the same process id. */
@Injectable()
export class WorkerIdentity {
  readonly name = `${hostname()}:${process.pid}:${randomBytes(6).toString('hex')}`;
}
