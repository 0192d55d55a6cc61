import { Controller, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Page } from '../../../core/access/access.decorator.js';
import { CurrentUser, type Viewer } from '../../../core/access/auth-context.js';
import {
  TodosRepository,
  TODO_COLUMNS,
  type TodoTarget,
} from '../../../core/activity/todos.repository.js';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId, parseIntegerId } from '../../../core/params/ids.js';
import { Input } from '../../../core/params/input.decorator.js';
import { IntegerParam, TextParam } from '../../../core/params/params.decorator.js';
import { refererPath } from '../../../core/ui/addresses.js';
import { TODOS_PATH } from '../../../core/ui/components/todo-button.js';
import { FormInput, given } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { VisibleTodosRepository } from '../visible-todos.repository.js';
import { TODO_REASONS, TODO_KINDS, TodosPage } from './todos.page.js';

type Form = Record<string, unknown>;

/** Filters of the page. */
export class TodosQuery {
  @TextParam({ values: ['pending', 'done'] })
  state?: 'pending' | 'done' | null;

  @TextParam({ values: ['', ...Object.keys(TODO_REASONS)] })
  action?: keyof typeof TODO_REASONS | '' | null;

  @TextParam({ values: ['', ...Object.keys(TODO_KINDS)] })
  type?: keyof typeof TODO_KINDS | '' | null;

  /** To-do that was marked as done just now. */
  @IntegerParam()
  undo?: number | null;
}

/** To-dos of the viewer, and the buttons of pages that change them. */
@Controller(atRoot('dashboard/todos'))
@Page('signed_in')
export class TodoPagesController {
  constructor(
    private readonly todos: TodosRepository,
    private readonly visible: VisibleTodosRepository,
  ) {}

  /** Lists the viewer's to-dos. */
  @Get()
  async list(
    @Context() pageContext: PageContext,
    @CurrentUser() viewer: Viewer,
    @Input() query: TodosQuery,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const { state, action, type } = query;
    const filters = { state: state ?? 'pending', action: action || null, type: type || null };
    const page = await this.visible.list(viewer.id, filters, paging);
    const content = TodosPage({ pageContext, page, paging, filters, undo: query.undo ?? null });
    return pageContext.render(content, { title: 'To-dos', count: page.total, nav: 'dashboard' });
  }

  /** Adds a to-do for the issue, merge request or alert of the page that the form is on. */
  @Post()
  async add(
    @Context() pageContext: PageContext,
    @CurrentUser() viewer: Viewer,
    @FormInput() form: Form,
    @Req() request: Request,
  ): Promise<HttpResponse> {
    const type = given(form, 'type');
    const id = parseIntegerId(given(form, 'id'), 'id');
    const projectId = parseIntegerId(given(form, 'project_id'), 'project_id');
    if (!Object.hasOwn(TODO_COLUMNS, type)) throw new NotFoundError();
    const target = { type: type as TodoTarget, id, projectId };
    const added = await this.visible.add(viewer.id, target);
    const path = refererPath(request, pageContext.baseUrl);
    return pageContext.redirect(path, added === null ? {} : { notice: 'Added to your to-dos.' });
  }

  /** Marks all pending to-dos as done. */
  @Post('done')
  async finishAll(
    @Context() pageContext: PageContext,
    @CurrentUser() viewer: Viewer,
  ): Promise<HttpResponse> {
    await this.todos.finishAll(viewer.id);
    return pageContext.redirect(TODOS_PATH, { notice: 'All to-dos are marked as done.' });
  }

  /** Marks a to-do as done; the list then offers to undo it. */
  @Post(':id/done')
  async finish(
    @Context() pageContext: PageContext,
    @CurrentUser() viewer: Viewer,
    @IntegerId('id') id: number,
    @Req() request: Request,
  ): Promise<HttpResponse> {
    await this.todos.finish(viewer.id, id);
    const from = new URL(refererPath(request, pageContext.baseUrl), pageContext.baseUrl);
    if (from.pathname !== TODOS_PATH)
      return pageContext.redirect(from.pathname + from.search, { notice: 'Marked as done.' });
    from.searchParams.set('undo', String(id));
    return pageContext.redirect(from.pathname + from.search);
  }

  /** Marks a to-do as pending again. */
  @Post(':id/restore')
  async restore(
    @Context() pageContext: PageContext,
    @CurrentUser() viewer: Viewer,
    @IntegerId('id') id: number,
    @Req() request: Request,
  ): Promise<HttpResponse> {
    await this.todos.reopen(viewer.id, id);
    const from = new URL(refererPath(request, pageContext.baseUrl), pageContext.baseUrl);
    from.searchParams.delete('undo');
    const notice = 'The to-do is pending again.';
    return pageContext.redirect(from.pathname + from.search, { notice });
  }
}
