import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../../core/access/auth-context.js';
import { ForbiddenError, InvalidParamsError, NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { NO_PRECONDITIONS } from '../../../core/preconditions.js';
import { formErrors, given, type FormProblems } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { UsersRepository } from '../../users/users.repository.js';
import { AccessRequestsRepository } from '../access-requests/access-requests.repository.js';
import { AccessRequestsService } from '../access-requests/access-requests.service.js';
import {
  AddMemberDto,
  ApproveAccessRequestDto,
  UpdateMemberDto,
  type ListMembersPageDto,
} from '../member.dto.js';
import { MembersRepository } from '../members.repository.js';
import { MembersService } from '../members.service.js';
import { MembersPage, type MembersPageProps, type MembersPageContext } from './members.page.js';

type Form = Record<string, unknown>;

interface MemberChoice {
  context: MembersPageContext;
  userId: number;
}

const REFUSED =
  "You can't assign a role higher than your own, and a group needs at least one owner.";

/** Access requests on a page; the next ones follow once these are decided. */
const SHOWN_REQUESTS = 20;

/** Shared actions of the members pages of projects and groups. */
@Injectable()
export class MemberPages {
  constructor(
    private readonly users: UsersRepository,
    private readonly repository: MembersRepository,
    private readonly members: MembersService,
    private readonly requests: AccessRequestsService,
    private readonly requestRows: AccessRequestsRepository,
  ) {}

  /** Shows the members that match the filters. */
  list(
    pageContext: PageContext,
    context: MembersPageContext,
    { filters, paging }: { filters: ListMembersPageDto; paging: Paging },
  ): Promise<HttpResponse> {
    return this.show({ pageContext, context }, { filters, paging });
  }

  /** Adds the user of the form; shows the form again with its errors. */
  async add(
    pageContext: PageContext,
    context: MembersPageContext,
    { form, paging }: { form: Form; paging: Paging },
  ): Promise<HttpResponse> {
    try {
      const username = await this.findUsername(given(form, 'username'), pageContext.viewer);
      const { access_level, expires_at } = form;
      const dto = await parseInput(AddMemberDto, { username, access_level, expires_at });
      await this.members.add(context.source, dto, context.manager);
    } catch (error) {
      const problems = { errors: problemsOf(error), values: valuesOf(form) };
      return this.show({ pageContext, context, ...problems }, { filters: {}, paging });
    }
    return pageContext.redirect(context.path, { notice: 'Member added.' });
  }

  /** Changes the role and expiry date of a membership. */
  async update(
    pageContext: PageContext,
    { context, userId }: MemberChoice,
    form: Form,
  ): Promise<HttpResponse> {
    const { access_level, expires_at } = form;
    return this.attempt(pageContext, context.path, async () => {
      const dto = await parseInput(UpdateMemberDto, { access_level, expires_at });
      const change = { userId, dto, preconditions: NO_PRECONDITIONS };
      await this.members.update(context.source, change, context.manager);
      return pageContext.redirect(context.path, { notice: 'Member updated.' });
    });
  }

  /** Removes a member. Throws 404 for users who cannot manage members, except for themselves. */
  async remove(pageContext: PageContext, { context, userId }: MemberChoice): Promise<HttpResponse> {
    const isOwn = pageContext.viewer?.id === userId;
    if (!context.mayManage && !isOwn) throw new NotFoundError();
    const { source, manager, path } = context;
    return this.attempt(pageContext, path, async () => {
      const removal = { userId, preconditions: NO_PRECONDITIONS, keepBelow: false };
      await this.members.remove(source, removal, manager);
      if (!isOwn) return pageContext.redirect(path, { notice: 'Member removed.' });
      // Former members can no longer see the list.
      const notice = `You left the ${source.kind}.`;
      return pageContext.redirect(`/dashboard/${source.kind}s`, { notice });
    });
  }

  /** Makes a user who requested access a member with the role of the form. */
  async approve(
    pageContext: PageContext,
    { context, userId }: MemberChoice,
    { access_level }: Form,
  ): Promise<HttpResponse> {
    const { source, manager, path } = context;
    return this.attempt(pageContext, path, async () => {
      const dto = await parseInput(ApproveAccessRequestDto, { access_level });
      const request = { userId, dto, preconditions: NO_PRECONDITIONS };
      await this.requests.approve(source, request, manager);
      return pageContext.redirect(path, { notice: 'Request approved.' });
    });
  }

  /** Denies an access request. */
  async deny(pageContext: PageContext, { context, userId }: MemberChoice): Promise<HttpResponse> {
    const request = { userId, preconditions: NO_PRECONDITIONS };
    await this.requests.remove(context.source, request, context.manager.actor);
    return pageContext.redirect(context.path, { notice: 'Request denied.' });
  }

  /**
   * Returns the username that a form names, as such or by an email address. Addresses that are not
   * public are found by administrators only, as in lists of users; an unknown one is returned as it
   * is, which no user has. Throws 400 for an empty field.
   */
  private async findUsername(text: string, viewer: Viewer | null): Promise<string> {
    const name = text.trim().replace(/^@/, '');
    if (name === '') throw new InvalidParamsError(['username is missing']);
    if (!name.includes('@')) return name;
    return (await this.users.findUsernameByEmail(name, viewer)) ?? name;
  }

  /** Runs the change; an error leads back to the list and is shown there. */
  private async attempt(
    pageContext: PageContext,
    path: string,
    work: () => Promise<HttpResponse>,
  ): Promise<HttpResponse> {
    try {
      return await work();
    } catch (error) {
      const { fields, general } = problemsOf(error);
      const alert = [...general, ...Object.values(fields).flat()].join(' ');
      return pageContext.redirect(path, { alert });
    }
  }

  private async show(
    parts: Pick<MembersPageProps, 'pageContext' | 'context' | 'errors' | 'values'>,
    { filters, paging }: { filters: ListMembersPageDto; paging: Paging },
  ): Promise<HttpResponse> {
    const { pageContext, context, errors } = parts;
    const inherited = filters.inherited !== false;
    const search = filters.search ?? '';
    const reach = inherited ? 'all' : 'direct';
    const query = { reach, filters: { query: search } } as const;
    const [page, requests] = await Promise.all([
      this.repository.list(context.source, query, paging),
      context.mayManage
        ? this.requestRows.list(context.source, paging.first(SHOWN_REQUESTS))
        : null,
    ]);
    const content = MembersPage({ ...parts, page, requests, paging, inherited, search });
    return pageContext.render(content, context.info, errors == null ? 200 : 422);
  }
}

function problemsOf(error: unknown): FormProblems {
  if (error instanceof ForbiddenError) return { fields: {}, general: [REFUSED] };
  if (!(error instanceof NotFoundError)) return formErrors(error);
  return { fields: { username: ['User not found.'] }, general: [] };
}

function valuesOf(form: Form): NonNullable<MembersPageProps['values']> {
  return {
    username: given(form, 'username'),
    accessLevel: given(form, 'access_level'),
    expiresAt: given(form, 'expires_at'),
  };
}
