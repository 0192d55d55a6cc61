import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../../core/access/viewer.js';
import { ForbiddenError, InvalidParamsError, NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { Preconditions } from '../../../core/preconditions.js';
import { given } from '../../../core/ui/form-input.decorator.js';
import { formErrors, type FormProblems } from '../../../core/ui/form-errors.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { UsersRepository } from '../../users/users.repository.js';
import { AddMemberDto, UpdateMemberDto, type ListMembersPageDto } from '../member.dto.js';
import { MembersRepository } from '../members.repository.js';
import { MembersService } from '../members.service.js';
import { MembersPage, type MembersPageProps } from './members.page.js';
import type { MembersPageContext } from './members-page-context.js';

type Form = Record<string, unknown>;

interface Choice {
  place: MembersPageContext;
  userId: number;
}

const REFUSED =
  'This is not possible: nobody hands out or takes away a role above their own, and a group keeps an owner.';

/** Forms of pages have no header that could tie a change to a moment. */
const UNCONDITIONAL = new Preconditions(null);

/** Shared actions of the members pages of projects and groups. */
@Injectable()
export class MemberPages {
  constructor(
    private readonly users: UsersRepository,
    private readonly repository: MembersRepository,
    private readonly members: MembersService,
  ) {}

  /** The page with the members that the filters leave. */
  list(
    pageContext: PageContext,
    place: MembersPageContext,
    { filters, paging }: { filters: ListMembersPageDto; paging: Paging },
  ): Promise<HttpResponse> {
    return this.show({ pageContext, place }, { filters, paging });
  }

  /** Adds the user of the form; shows the form again with its errors. */
  async add(
    pageContext: PageContext,
    place: MembersPageContext,
    { form, paging }: { form: Form; paging: Paging },
  ): Promise<HttpResponse> {
    try {
      const username = await this.findUsername(given(form, 'username'), pageContext.viewer);
      const { access_level, expires_at } = form;
      const dto = await parseInput(AddMemberDto, { username, access_level, expires_at });
      await this.members.add(place.source, dto, place.manager);
    } catch (error) {
      const problems = { errors: problemsOf(error), values: valuesOf(form) };
      return this.show({ pageContext, place, ...problems }, { filters: {}, paging });
    }
    return pageContext.redirect(place.path, { notice: 'Member added.' });
  }

  /** Changes role and end of a membership. */
  async update(
    pageContext: PageContext,
    { place, userId }: Choice,
    form: Form,
  ): Promise<HttpResponse> {
    const { access_level, expires_at } = form;
    return this.attempt(pageContext, place.path, async () => {
      const dto = await parseInput(UpdateMemberDto, { access_level, expires_at });
      const change = { userId, dto, preconditions: UNCONDITIONAL };
      await this.members.update(place.source, change, place.manager);
      return pageContext.redirect(place.path, { notice: 'Membership changed.' });
    });
  }

  /** Ends a membership. Users who cannot manage members end only their own; otherwise 404. */
  async remove(pageContext: PageContext, { place, userId }: Choice): Promise<HttpResponse> {
    const isOwn = pageContext.viewer?.id === userId;
    if (!place.mayManage && !isOwn) throw new NotFoundError();
    const { source, manager, path } = place;
    return this.attempt(pageContext, path, async () => {
      const removal = { userId, preconditions: UNCONDITIONAL, keepBelow: false };
      await this.members.remove(source, removal, manager);
      if (!isOwn) return pageContext.redirect(path, { notice: 'Member removed.' });
      // Former members can no longer see the list.
      const notice = `You left the ${source.kind}.`;
      return pageContext.redirect(`/dashboard/${source.kind}s`, { notice });
    });
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
    parts: Pick<MembersPageProps, 'pageContext' | 'place' | 'errors' | 'values'>,
    { filters, paging }: { filters: ListMembersPageDto; paging: Paging },
  ): Promise<HttpResponse> {
    const { pageContext, place, errors } = parts;
    const inherited = filters.inherited === true;
    const search = filters.search ?? '';
    const reach = inherited ? 'all' : 'direct';
    const query = { reach, filters: { query: search } } as const;
    const page = await this.repository.list(place.source, query, paging);
    const content = MembersPage({ ...parts, page, paging, inherited, search });
    return pageContext.render(content, place.info, errors == null ? 200 : 422);
  }
}

function problemsOf(error: unknown): FormProblems {
  if (error instanceof ForbiddenError) return { fields: {}, general: [REFUSED] };
  if (!(error instanceof NotFoundError)) return formErrors(error);
  return { fields: { username: ['There is no such user.'] }, general: [] };
}

function valuesOf(form: Form): NonNullable<MembersPageProps['values']> {
  return {
    username: given(form, 'username'),
    accessLevel: given(form, 'access_level'),
    expiresAt: given(form, 'expires_at'),
  };
}
