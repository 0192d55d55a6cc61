import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { VNode } from 'preact';
import { Item, ItemList } from '../../core/ui/components/list.js';
import { canInProject } from '../../identity/members/abilities.js';
import { IssueSections } from '../../workspace/issues/pages/issue-page-context.js';
import { ErrorGroupsRepository, type LinkedError } from '../errors/error-groups.repository.js';
import { counted } from '../../core/ui/amounts.js';
import { Card } from '../../core/ui/components/content.js';
import { Time } from '../../core/ui/components/time.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { errorTitle } from '../errors/error-group.js';
import { LevelBadge, StatusBadge, statusOf } from './error-badges.js';
import { errorPath } from '../error-paths.js';

/** Shows the errors of an issue on its page, to viewers who can read errors. */
@Injectable()
export class LinkedErrors implements OnModuleInit {
  constructor(
    private readonly sections: IssueSections,
    private readonly errors: ErrorGroupsRepository,
  ) {}

  onModuleInit(): void {
    this.sections.add(async ({ issue, project, pageContext }) => {
      if (!canInProject('read_error', { ...project, viewer: pageContext.viewer })) return null;
      const errors = await this.errors.listLinked(issue.id, project.id);
      return errors.length === 0 ? null : LinkedErrorsCard({ project, errors });
    });
  }
}

interface LinkedErrorsCardProps {
  project: ProjectRow;
  /** At least one: those that are not resolved first. */
  errors: LinkedError[];
}

/** The errors that an issue is about. */
function LinkedErrorsCard({ project, errors }: LinkedErrorsCardProps): VNode {
  const more = (errors[0]?.total ?? 0) - errors.length;
  return (
    <Card title="Errors" flush>
      <ItemList label="Errors of the issue">
        {errors.map((error) => (
          <Item
            key={error.id}
            title={
              <>
                <LevelBadge level={error.level} />
                <a class="prose-link wrap-anywhere" href={errorPath(project, error.id)}>
                  {errorTitle(error)}
                </a>
                <StatusBadge status={statusOf(error)} />
              </>
            }
          >
            {counted(error.eventsCount, 'event')}, last seen <Time value={error.lastSeenAt} />
          </Item>
        ))}
        {more > 0 && <Item title={`And ${counted(more, 'error')} more`} />}
      </ItemList>
    </Card>
  );
}
