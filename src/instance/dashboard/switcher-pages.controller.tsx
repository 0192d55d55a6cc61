import { Controller, Get } from '@nestjs/common';
import type { VNode } from 'preact';
import { Page } from '../../core/access/access.decorator.js';
import { CurrentUser, type Viewer } from '../../core/access/auth-context.js';
import type { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/paths.js';
import { Avatar } from '../../core/ui/components/avatar.js';
import type { PageContext } from '../../core/ui/page-context.js';
import { Context } from '../../core/ui/page-contexts.service.js';
import {
  fullPathOf,
  ProjectsRepository,
  type ProjectRow,
} from '../../workspace/projects/projects.repository.js';

const RECENT = 8;

/** The part of the project switcher that a script loads when it opens. */
@Controller(atRoot('-/switcher'))
@Page('signed_in')
export class SwitcherPagesController {
  constructor(private readonly projects: ProjectsRepository) {}

  /** Lists the viewer's projects with the latest activity. */
  @Get()
  async show(
    @Context() pageContext: PageContext,
    @CurrentUser() viewer: Viewer,
  ): Promise<HttpResponse> {
    const filters = { membership: true, order_by: 'last_activity_at' } as const;
    const projects = await this.projects.listFirst({ filters, viewer }, RECENT);
    return pageContext.fragment(<Projects projects={projects} />);
  }
}

function Projects({ projects }: { projects: ProjectRow[] }): VNode {
  return (
    <ul class="menu-part" aria-label="Recent projects">
      {projects.map((project) => (
        <li key={project.id}>
          <a href={`/${fullPathOf(project)}`} title={fullPathOf(project)}>
            <Avatar name={project.name} owner={project} kind="project" />
            <span class="truncate">{`${project.namespace.fullName} / ${project.name}`}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
