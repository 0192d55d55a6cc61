import { Controller, Get, Post } from '@nestjs/common';
import { Page } from '../../../core/access/access.decorator.js';
import { Auth, type AuthContext } from '../../../core/access/auth-context.js';
import { assertAvatarGiven, AvatarDto } from '../../../core/avatars/avatar.dto.js';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { Input, parseInput } from '../../../core/params/input.decorator.js';
import { NO_PRECONDITIONS } from '../../../core/preconditions.js';
import { formErrors, FormInput, type FormProblems } from '../../../core/ui/forms.js';
import type { PageInfo, PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import {
  assertPasswordWay,
  chosenPassword,
  CreateUserDto,
  UpdateUserDto,
  userColumns,
} from '../user.dto.js';
import { conditionsOf, ListUserPageDto, USER_LIST_ORDERS } from '../user-filters.dto.js';
import { UsersService } from '../users.service.js';
import type { UserDetails } from '../user.presenter.js';
import { UsersRepository } from '../users.repository.js';
import {
  NEW_USER,
  UserFormPage,
  valuesOf,
  withoutEmptyPassword,
  type UserValues,
} from './user-form.page.js';
import { UserListPage } from './user-list.page.js';
import { UserShowPage } from './user-show.page.js';

const ADMIN = { label: 'Admin', href: '/admin' };
const USERS = { label: 'Users', href: '/admin/users' };

/** Pages on which administrators find, make and change users. */
@Controller(atRoot('admin/users'))
@Page('administrate')
export class UserPagesController {
  constructor(
    private readonly users: UsersRepository,
    private readonly service: UsersService,
  ) {}

  /** Shows the users of one kind, newest first by default. */
  @Get()
  async list(
    @Context() pageContext: PageContext,
    @Input() query: ListUserPageDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const { filter, search } = query;
    const { order_by, sort } = USER_LIST_ORDERS[query.sort ?? 'newest'];
    const filters = { ...conditionsOf(filter ?? 'people'), search, order_by, sort };
    const [users, counts] = await Promise.all([
      this.users.list(filters, pageContext.viewer, paging),
      this.users.countByKind(),
    ]);
    const page = UserListPage({ users, counts, query, paging });
    return pageContext.render(page, { title: 'Users', nav: 'admin', crumbs: [ADMIN] });
  }

  @Get('new')
  blank(@Context() pageContext: PageContext): HttpResponse {
    return this.form(pageContext, { user: null, values: NEW_USER });
  }

  @Post()
  async create(
    @Context() pageContext: PageContext,
    @FormInput() form: UserValues,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    try {
      const given = withoutEmptyPassword(form);
      const dto = await parseInput(CreateUserDto, {
        reset_password: !('password' in given),
        ...given,
      });
      assertPasswordWay(dto);
      const { username, name, email } = dto;
      const input = { username, name, email, password: chosenPassword(dto) };
      const user = await this.service.create({ ...input, attributes: userColumns(dto) }, auth);
      return pageContext.redirect(`/admin/users/${user.id}`, { notice: 'User created.' });
    } catch (error) {
      return this.form(pageContext, { user: null, values: form, errors: formErrors(error) });
    }
  }

  @Get(':id')
  async show(
    @Context() pageContext: PageContext,
    @IntegerId('id') id: number,
  ): Promise<HttpResponse> {
    const [user, insight] = await Promise.all([this.find(id), this.users.findInsight(id)]);
    if (insight === null) throw new NotFoundError('User');
    const { csrfToken, viewer } = pageContext;
    const page = UserShowPage({ csrfToken, viewerId: viewer?.id, user, insight });
    return pageContext.render(page, { title: user.name, nav: 'admin', crumbs: [ADMIN, USERS] });
  }

  @Get(':id/edit')
  async edit(
    @Context() pageContext: PageContext,
    @IntegerId('id') id: number,
  ): Promise<HttpResponse> {
    const user = await this.find(id);
    return this.form(pageContext, { user, values: valuesOf(user) });
  }

  @Post(':id')
  async update(
    @Context() pageContext: PageContext,
    @IntegerId('id') id: number,
    @FormInput() form: UserValues,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    try {
      const dto = await parseInput(UpdateUserDto, withoutEmptyPassword(form));
      await this.service.update({ id, dto, preconditions: NO_PRECONDITIONS }, auth);
    } catch (error) {
      const errors = formErrors(error);
      return this.form(pageContext, { user: await this.find(id), values: form, errors });
    }
    return pageContext.redirect(`/admin/users/${id}`, { notice: 'User changed.' });
  }

  @Post(':id/avatar')
  async changeAvatar(
    @Context() pageContext: PageContext,
    @IntegerId('id') id: number,
    @FormInput() form: Record<string, unknown>,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    const user = await this.find(id);
    try {
      const dto = await parseInput(AvatarDto, form);
      assertAvatarGiven(dto);
      await this.service.update({ id, dto, preconditions: NO_PRECONDITIONS }, auth);
    } catch (error) {
      return this.form(pageContext, {
        user,
        values: valuesOf(user),
        avatarErrors: formErrors(error),
      });
    }
    return pageContext.redirect(`/admin/users/${id}/edit`, { notice: 'Avatar updated.' });
  }

  private async find(id: number): Promise<UserDetails> {
    const user = await this.users.findDetails(id);
    if (user === null) throw new NotFoundError('User');
    return user;
  }

  private form(
    pageContext: PageContext,
    { user, values, errors, avatarErrors }: UserForm,
  ): HttpResponse {
    const named = user && { ...user, isPerson: user.userType === 'human' };
    const page = UserFormPage({
      csrfToken: pageContext.csrfToken,
      user: named,
      values,
      errors: errors ?? null,
      avatarErrors: avatarErrors ?? null,
    });
    return pageContext.render(
      page,
      infoOf(user),
      (errors ?? avatarErrors) === undefined ? 200 : 422,
    );
  }
}

interface UserForm {
  user: UserDetails | null;
  values: UserValues;
  errors?: FormProblems;
  avatarErrors?: FormProblems;
}

function infoOf(user: UserDetails | null): PageInfo {
  if (user === null) return { title: 'New user', nav: 'admin', crumbs: [ADMIN, USERS] };
  const parent = { label: user.name, href: `/admin/users/${user.id}` };
  return { title: 'Edit', nav: 'admin', crumbs: [ADMIN, USERS, parent] };
}
