import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { CONFIG } from '../../../config/config.module.js';
import type { Config } from '../../../config/env.js';
import type { AuthContext, Viewer } from '../../../core/access/auth-context.js';
import { AuditLog, type AuditActor } from '../../../core/audit/audit.service.js';
import {
  ForbiddenError,
  NotFoundError,
  UnauthorizedError,
  ValidationFailedError,
} from '../../../core/errors.js';
import { isMailAddress } from '../../../core/mail/mail.js';
import type { Preconditions } from '../../../core/preconditions.js';
import { Paragraph } from '../../../core/mail/email-parts.js';
import { renderEmail } from '../../../core/mail/email-template.js';
import { MailOutbox } from '../../../core/mail/mail-outbox.service.js';
import type { ApproveAccessRequestDto } from '../member.dto.js';
import { trailOfSource, type MemberSource } from '../member-source.js';
import { MembersRepository } from '../members.repository.js';
import { MembersService, type MemberManager } from '../members.service.js';
import { NO_ACCESS, ROLES } from '../roles.js';
import { AccessRequestsRepository, type AccessRequestRow } from './access-requests.repository.js';

/** A project or group as someone without a membership asks for one. */
export interface RequestedSource {
  source: MemberSource;
  /** Full name, for emails. */
  name: string;
  /** Address of the members page. */
  path: string;
  requestAccessEnabled: boolean;
  /** Level of the viewer. */
  accessLevel: number;
  sendsMails: boolean;
}

/** State of the access request of a user without access. */
export type RequestState = 'none' | 'pending';

interface RequestChoice {
  userId: number;
  preconditions: Preconditions;
}

/** Requests for membership: made by anyone who sees the project or group, decided by its managers. */
@Injectable()
export class AccessRequestsService {
  private readonly baseUrl: string;

  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
    private readonly requests: AccessRequestsRepository,
    private readonly membersTable: MembersRepository,
    private readonly members: MembersService,
    private readonly outbox: MailOutbox,
    @Inject(CONFIG) { baseUrl }: Config,
  ) {
    this.baseUrl = baseUrl;
  }

  /** Returns what the viewer can do about a request of their own; null for nothing. */
  async stateOf(
    requested: Pick<RequestedSource, 'source' | 'requestAccessEnabled' | 'accessLevel'>,
    viewer: Viewer | null,
  ): Promise<RequestState | null> {
    if (viewer === null || requested.accessLevel !== NO_ACCESS) return null;
    const request = await this.requests.findOf(requested.source, viewer.id);
    if (request !== null) return 'pending';
    return requested.requestAccessEnabled ? 'none' : null;
  }

  /**
   * Requests access for the viewer and emails those who can approve it. Throws 403 for members and
   * where requests are disabled, 400 for a second request.
   */
  async request(requested: RequestedSource, auth: AuthContext): Promise<AccessRequestRow> {
    const { viewer } = auth;
    if (viewer === null) throw new UnauthorizedError();
    const { source, requestAccessEnabled, accessLevel } = requested;
    if (!requestAccessEnabled || accessLevel !== NO_ACCESS) throw new ForbiddenError();
    await this.dataSource.transaction(async (tx) => {
      await this.membersTable.lockSource(tx, source);
      const user = await this.membersTable.findJoining(tx, source, viewer.id);
      if (user === null || user.isForeignBot) throw new ForbiddenError();
      const isNew = await this.requests.add(tx, source, viewer.id);
      if (!isNew) throw new ValidationFailedError({ user_id: ['already exists in source'] });
      await this.record(tx, auth, { action: 'access_requested', source, userId: viewer.id });
      if (requested.sendsMails) await this.notify(tx, requested, viewer);
    });
    const row = await this.requests.findOf(source, viewer.id);
    if (row === null) throw new NotFoundError();
    return row;
  }

  /** Makes the user a member, Developer by default; throws 404 without a request, else as `add`. */
  async approve(
    source: MemberSource,
    { dto, ...choice }: RequestChoice & { dto: ApproveAccessRequestDto },
    manager: MemberManager,
  ): Promise<void> {
    const { id: userId } = await this.find(source, choice);
    const level = dto.access_level ?? ROLES.developer;
    await this.members.add(source, { user_id: userId, access_level: level }, manager, true);
  }

  /** Denies a request, or withdraws the actor's own; throws 404 without one. */
  async remove(source: MemberSource, choice: RequestChoice, actor: AuditActor): Promise<void> {
    const { id: userId } = await this.find(source, choice);
    await this.dataSource.transaction(async (tx) => {
      const isRemoved = await this.requests.deleteOf(tx, source, userId);
      if (!isRemoved) throw new NotFoundError();
      const isOwn = actor.viewer?.id === userId;
      const action = isOwn ? 'access_request_withdrawn' : 'access_request_denied';
      await this.record(tx, actor, { action, source, userId });
    });
  }

  private async find(
    source: MemberSource,
    { userId, preconditions }: RequestChoice,
  ): Promise<AccessRequestRow> {
    const request = await this.requests.findOf(source, userId);
    if (request === null) throw new NotFoundError();
    preconditions.check(request.requestedAt);
    return request;
  }

  private record(
    tx: EntityManager,
    actor: AuditActor,
    { action, source, userId }: { action: string; source: MemberSource; userId: number },
  ): Promise<void> {
    const target = { targetType: 'User', targetId: userId, entity: trailOfSource(source) };
    return this.audit.record(tx, actor, { action, ...target });
  }

  private async notify(
    tx: EntityManager,
    { source, name, path }: RequestedSource,
    viewer: Viewer,
  ): Promise<void> {
    const readers = await this.requests.findReaders(tx, source);
    const role = source.kind === 'project' ? 'maintainer' : 'owner';
    const content = renderEmail({
      subject: `${name} | ${viewer.name} requested access`,
      place: name,
      heading: 'Access requested',
      body: (
        <Paragraph>
          {viewer.name} (@{viewer.username}) requested access to this {source.kind}.
        </Paragraph>
      ),
      actions: [{ label: 'Review request', href: `${this.baseUrl}${path}` }],
      reasons: [{ text: `You received this email because you are a ${role} of ${name}.` }],
      baseUrl: this.baseUrl,
    });
    const mails = readers
      .filter(({ email }) => isMailAddress(email))
      .map(({ email }) => ({ to: email, kind: 'access_requested' as const, ...content }));
    await this.outbox.enqueueAll(tx, mails);
  }
}
