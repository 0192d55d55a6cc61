import { Controller, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { CurrentUser, type Viewer } from '../../../core/access/auth-context.js';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { IntegerId } from '../../../core/params/ids.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { TextParam } from '../../../core/params/params.decorator.js';
import { refererPath } from '../../../core/ui/addresses.js';
import { FormInput, refusalText } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import {
  MAX_NAME_LENGTH,
  MAX_QUERY_LENGTH,
  MOST_VIEWS,
  SAVED_LISTS,
  SavedViewsRepository,
} from '../../../core/ui/saved-views.repository.js';
import { CurrentProject, ProjectPage } from '../project-access.guard.js';
import { fullPathOf, type ProjectRow } from '../projects.repository.js';

class ViewNameDto {
  @TextParam({ required: true, allowEmpty: false, maxLength: MAX_NAME_LENGTH })
  name: string;
}

class SaveViewDto extends ViewNameDto {
  @TextParam({ required: true, values: SAVED_LISTS })
  list: string;

  @TextParam({ required: true, maxLength: MAX_QUERY_LENGTH })
  query: string;
}

/** Saved views of a project's lists: each user has their own. */
@Controller(atRoot('*project_path/-/views'))
export class SavedViewPagesController {
  constructor(private readonly views: SavedViewsRepository) {}

  /** Saves the filter of a list under a name, and shows the list. */
  @Post()
  @ProjectPage('read_project', 'signed_in')
  async save(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @CurrentUser() viewer: Viewer,
    @FormInput() form: Record<string, unknown>,
    @Req() request: Request,
  ): Promise<HttpResponse> {
    try {
      const { list, name, query } = await parseInput(SaveViewDto, form);
      const where = { userId: viewer.id, projectId: project.id, list };
      const filter = new URLSearchParams(query).toString();
      const isSaved = await this.views.put(where, { name: name.trim(), query: filter });
      return pageContext.redirect(`/${fullPathOf(project)}/-/${list}?${filter}`, {
        ...(isSaved
          ? { notice: 'View saved.' }
          : { alert: `A list can have ${MOST_VIEWS} views. Delete one first.` }),
      });
    } catch (error) {
      const path = refererPath(request, pageContext.baseUrl);
      return pageContext.redirect(path, { alert: refusalText(error) });
    }
  }

  /** Renames a view of the viewer. */
  @Post(':view_id')
  @ProjectPage('read_project', 'signed_in')
  async rename(
    @Context() pageContext: PageContext,
    @CurrentProject() { id: projectId }: ProjectRow,
    @CurrentUser() { id: userId }: Viewer,
    @IntegerId('view_id') id: number,
    @FormInput() form: Record<string, unknown>,
    @Req() request: Request,
  ): Promise<HttpResponse> {
    const path = refererPath(request, pageContext.baseUrl);
    try {
      const { name } = await parseInput(ViewNameDto, form);
      const isRenamed = await this.views.rename({ id, userId, projectId }, name.trim());
      const refusal = { alert: 'Another view has this name.' };
      return pageContext.redirect(path, isRenamed ? { notice: 'View renamed.' } : refusal);
    } catch (error) {
      return pageContext.redirect(path, { alert: refusalText(error) });
    }
  }

  /** Deletes a view of the viewer. */
  @Post(':view_id/delete')
  @ProjectPage('read_project', 'signed_in')
  async remove(
    @Context() pageContext: PageContext,
    @CurrentProject() { id: projectId }: ProjectRow,
    @CurrentUser() { id: userId }: Viewer,
    @IntegerId('view_id') id: number,
    @Req() request: Request,
  ): Promise<HttpResponse> {
    const { affected } = await this.views.delete({ id, userId, projectId });
    if (affected === 0) throw new NotFoundError();
    const path = refererPath(request, pageContext.baseUrl);
    return pageContext.redirect(path, { notice: 'View deleted.' });
  }
}
