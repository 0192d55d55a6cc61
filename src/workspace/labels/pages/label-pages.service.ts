import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { formErrors, given } from '../../../core/ui/forms.js';
import type { PageContext, PageInfo } from '../../../core/ui/page-context.js';
import { CreateLabelDto, UpdateLabelDto } from '../label.dto.js';
import { LabelsRepository } from '../labels.repository.js';
import { LabelsService } from '../labels.service.js';
import {
  LabelFormPage,
  valuesOfForm,
  valuesOfLabel,
  type LabelFormProps,
} from './label-form.page.js';
import { LabelsPage, type LabelsPageContext } from './labels.page.js';

type Form = Record<string, unknown>;

/** A page about the labels of a project or group. */
export interface LabelsLayout {
  pageContext: PageContext;
  context: LabelsPageContext;
  /** Title and navigation; of the list without a title. */
  info: (title?: string) => PageInfo;
}

/** Pages of labels, the same for projects and groups. */
@Injectable()
export class LabelPages {
  constructor(
    private readonly repository: LabelsRepository,
    private readonly labels: LabelsService,
  ) {}

  async list(
    { pageContext, context, info }: LabelsLayout,
    query: Form,
    paging: Paging,
  ): Promise<HttpResponse> {
    const { owner } = context;
    const search = given(query, 'search') || null;
    const request = { filters: { search }, paging };
    const page = await this.repository.list(pageContext.viewer, owner, request);
    const names = page.items.map(({ name }) => name);
    const countsOf = await this.repository.countsOf(pageContext.viewer, owner, names);
    const { viewer } = pageContext;
    const subscribed = viewer && (await this.repository.subscribedTo(viewer, page.items));
    const content = LabelsPage({ context, search, page, countsOf, subscribed, paging });
    return pageContext.render(content, { ...info(), count: page.total });
  }

  newForm(layout: LabelsLayout): HttpResponse {
    assertMayChange(layout);
    return show(layout, { id: null, values: valuesOfLabel(null), errors: null });
  }

  async create(layout: LabelsLayout, form: Form): Promise<HttpResponse> {
    assertMayChange(layout);
    const values = valuesOfForm(form);
    try {
      await this.labels.create(
        layout.context.owner,
        await parseInput(CreateLabelDto, { ...values }),
      );
    } catch (error) {
      return show(layout, { id: null, values, errors: formErrors(error) });
    }
    return layout.pageContext.redirect(layout.context.path, { notice: 'Label created.' });
  }

  async editForm(layout: LabelsLayout, id: number): Promise<HttpResponse> {
    assertMayChange(layout);
    const label = await this.repository.findOwn(layout.context.owner, String(id));
    return show(layout, { id: label.id, values: valuesOfLabel(label), errors: null });
  }

  async update(layout: LabelsLayout, id: number, form: Form): Promise<HttpResponse> {
    assertMayChange(layout);
    const label = await this.repository.findOwn(layout.context.owner, String(id));
    const { name, ...values } = valuesOfForm(form);
    try {
      const dto = await parseInput(UpdateLabelDto, { ...values, new_name: name });
      await this.labels.update(label, dto);
    } catch (error) {
      return show(layout, { id: label.id, values: { name, ...values }, errors: formErrors(error) });
    }
    return layout.pageContext.redirect(layout.context.path, { notice: 'Changes saved.' });
  }

  async delete(layout: LabelsLayout, id: number): Promise<HttpResponse> {
    assertMayChange(layout);
    await this.labels.delete(await this.repository.findOwn(layout.context.owner, String(id)));
    return layout.pageContext.redirect(layout.context.path, { notice: 'Label deleted.' });
  }

  async subscribe(layout: LabelsLayout, id: number, form: Form): Promise<HttpResponse> {
    const { pageContext, context } = layout;
    if (pageContext.viewer === null) throw new NotFoundError();
    const label = await this.repository.findUsable(context.owner, String(id));
    const isWanted = given(form, 'subscribed') === 'true';
    await this.repository.setSubscribed(pageContext.viewer.id, label.id, isWanted);
    const notice = isWanted
      ? `You are notified of issues and merge requests that get the label ${label.name}.`
      : `Unsubscribed from the label ${label.name}.`;
    return pageContext.redirect(context.path, { notice });
  }

  async promote(layout: LabelsLayout, id: number, groupId: number): Promise<HttpResponse> {
    assertMayChange(layout);
    const label = await this.repository.findOwn(layout.context.owner, String(id));
    await this.labels.promote(label, groupId);
    const notice = `${label.name} is now a label of the group.`;
    return layout.pageContext.redirect(layout.context.path, { notice });
  }
}

/** 404 in an archived project, where no link leads to a form. */
function assertMayChange({ context }: LabelsLayout): void {
  if (!context.mayChange) throw new NotFoundError();
}

function show(
  { pageContext, context, info }: LabelsLayout,
  form: Pick<LabelFormProps, 'id' | 'values' | 'errors'>,
): HttpResponse {
  const { csrfToken } = pageContext;
  const hasPriority = 'projectId' in context.owner;
  const content = LabelFormPage({ ...form, csrfToken, path: context.path, hasPriority });
  const title = form.id === null ? 'New label' : 'Edit label';
  return pageContext.render(content, info(title), form.errors === null ? 200 : 422);
}
