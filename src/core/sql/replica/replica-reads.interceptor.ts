import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { concatMap, lastValueFrom, type Observable, of } from 'rxjs';
import { PAGE_KEY, SCOPES_KEY } from '../../access/access.decorator.js';
import { authContext } from '../../access/auth-context.js';
import { clientAddress } from '../../http/request-address.js';
import { RecentWrites } from './recent-writes.service.js';
import { Replica } from './replica.service.js';
import { NEVER_WRITES_KEY, READS_PRIMARY_KEY, RequestReads } from './request-reads.js';

/**
 * Lets handlers of GET read from the replica unless their user has just written. Guards run before,
 * on the primary: who may is never decided by old rows. Used only where there is a replica.
 */
@Injectable()
export class ReplicaReads implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly replica: Replica,
    private readonly writes: RecentWrites,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isOfUsers = this.isOfUsers(context);
    const writers = writersOf(request, isOfUsers);
    if (isRead && isOfUsers && !this.declares(READS_PRIMARY_KEY, context)) {
      return this.read(context, next, writers);
    }
    if (isRead || writers.length === 0 || this.declares(NEVER_WRITES_KEY, context)) {
      return next.handle();
    }
    const write = (): Promise<unknown> => lastValueFrom(next.handle(), { defaultValue: undefined });
    return of(await this.writes.during(writers, write));
  }

  private async read(
    context: ExecutionContext,
    next: CallHandler,
    writers: readonly string[],
  ): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const names = [...writers, addressOf(http.getRequest<Request>())];
    const mayUseReplica = this.replica.isUsable && !(await this.writes.include(names));
    const onWrite = (): void => void this.writes.note(writers);
    const reads = new RequestReads(this.replica, { mayUseReplica, onWrite });
    http.getResponse<Response>().once('close', () => reads.end());
    // Once more: the time counts from the end of the write.
    const noteWrite = async (value: unknown): Promise<unknown> => {
      if (reads.hasWritten) await this.writes.note(writers);
      return value;
    };
    return reads.run(() => next.handle()).pipe(concatMap(noteWrite));
  }

  /** True for the API and for pages; Git, webhooks, health and OAuth endpoints declare no scopes. */
  private isOfUsers(context: ExecutionContext): boolean {
    return this.declares(SCOPES_KEY, context) || this.declares(PAGE_KEY, context);
  }

  private declares(key: string, context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()];
    return Boolean(this.reflector.getAllAndOverride<unknown>(key, targets));
  }
}

/**
 * Returns the names of the user and, under sudo, of the administrator. Without a user it is the
 * address: signing in and up are writes of someone who has no name yet.
 */
function writersOf(request: Request, isOfUsers: boolean): string[] {
  const { viewer, impersonator } = authContext(request);
  const names = [viewer, impersonator].flatMap((user) =>
    user === null ? [] : [`user:${user.id}`],
  );
  return names.length === 0 && isOfUsers ? [addressOf(request)] : names;
}

function addressOf({ ip }: Request): string {
  return `address:${clientAddress(ip)}`;
}
