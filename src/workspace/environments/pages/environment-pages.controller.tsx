import { Controller, Get } from '@nestjs/common';
import type { VNode } from 'preact';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { filledAddress } from '../../../core/ui/addresses.js';
import { Badge, Card, EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { Cell, Table } from '../../../core/ui/components/table.js';
import { Time } from '../../../core/ui/components/time.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { canInProject } from '../../../identity/members/abilities.js';
import { projectInfo } from '../../projects/pages/project-frame.js';
import { CurrentProject, ProjectPage } from '../../projects/project-access.guard.js';
import { fullPathOf, type ProjectRow } from '../../projects/projects.repository.js';
import { EnvironmentsRepository, type SeenEnvironment } from '../environments.repository.js';

/** Environments that alerts and errors of a project name. */
@Controller(atRoot('*project_path/-/environments'))
export class EnvironmentPagesController {
  constructor(private readonly environments: EnvironmentsRepository) {}

  /** Lists the environments, those with recent events first. */
  @Get()
  @ProjectPage('read_environment', 'anyone')
  async list(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
  ): Promise<HttpResponse> {
    const environments = await this.environments.listSeen(project.id);
    const showsAlerts = canInProject('read_alert', { ...project, viewer: pageContext.viewer });
    const base = `/${fullPathOf(project)}/-`;
    const info = { ...projectInfo(project, 'Environments'), count: environments.length };
    return pageContext.render(EnvironmentsPage({ environments, base, showsAlerts }), info);
  }
}

interface EnvironmentsPageProps {
  environments: readonly SeenEnvironment[];
  /** Start of the addresses of the project's pages. */
  base: string;
  /** The viewer can read alerts. */
  showsAlerts: boolean;
}

function EnvironmentsPage({ environments, base, showsAlerts }: EnvironmentsPageProps): VNode {
  const columns = [
    { label: 'Environment' },
    { label: 'Tier' },
    ...(showsAlerts ? [{ label: 'Open alerts', align: 'end' as const }] : []),
    { label: 'Unresolved errors', align: 'end' as const },
    { label: 'Last seen' },
  ];
  return (
    <>
      <PageHeader title="Environments" />
      {environments.length === 0 ? (
        <EmptyState title="No environments yet">
          Environments appear once alerts or errors name them.
        </EmptyState>
      ) : (
        <Card flush>
          <Table caption="Environments" columns={columns} stacked>
            {environments.map((environment) => (
              <EnvironmentRow key={environment.name} {...{ environment, base, showsAlerts }} />
            ))}
          </Table>
        </Card>
      )}
    </>
  );
}

interface EnvironmentRowProps extends Omit<EnvironmentsPageProps, 'environments'> {
  environment: SeenEnvironment;
}

function EnvironmentRow({ environment, base, showsAlerts }: EnvironmentRowProps): VNode {
  const { name, tier, state, externalUrl, openAlerts, unresolvedErrors, lastSeenAt } = environment;
  const errors = filledAddress(`${base}/error_tracking`, { environment: name });
  const alerts = filledAddress(`${base}/alert_management`, { environment: name });
  return (
    <tr>
      <Cell lead>
        <span class="inline-flex flex-wrap items-center gap-2">
          <span class="font-medium">{name}</span>
          {state === 'stopped' && <Badge>Stopped</Badge>}
        </span>
        {externalUrl !== null && (
          <small>
            <a class="prose-link" href={externalUrl} rel="nofollow noopener noreferrer ugc">
              {externalUrl}
            </a>
          </small>
        )}
      </Cell>
      <Cell>{tier === null ? '' : `${tier.charAt(0).toUpperCase()}${tier.slice(1)}`}</Cell>
      {showsAlerts && (
        <Cell align="end" label="Open alerts">
          {openAlerts === 0 ? 0 : <a href={alerts}>{openAlerts}</a>}
        </Cell>
      )}
      <Cell align="end" label="Unresolved errors">
        {unresolvedErrors === 0 ? 0 : <a href={errors}>{unresolvedErrors}</a>}
      </Cell>
      <Cell label="Last seen">
        <Time value={lastSeenAt} />
      </Cell>
    </tr>
  );
}
