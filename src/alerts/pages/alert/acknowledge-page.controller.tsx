import { Controller, Get } from '@nestjs/common';
import type { VNode } from 'preact';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { IntegerId } from '../../../core/params/ids.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { Card, DescriptionList, PageHeader } from '../../../core/ui/components/content.js';
import { FormActions, PostButton } from '../../../core/ui/components/form.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { CurrentProject, ProjectPage } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { severityOf, statusOf } from '../../alert-values.js';
import { AlertsRepository } from '../../alerts.repository.js';
import type { FoundAlert } from '../../sql/alert-list.js';
import { alertPath, alertsPath } from '../alert-paths.js';
import { SeverityBadge, StatusBadge } from '../alert-status.js';
import { alertInfo } from './alert-page-renderer.service.js';

/** Target of the link in alert emails. */
@Controller(atRoot('*project_path/-/alert_management/:iid/acknowledge'))
export class AcknowledgePageController {
  constructor(private readonly alerts: AlertsRepository) {}

  /** Shows the button: mail clients follow links in emails, so a GET changes nothing. */
  @Get()
  @ProjectPage('admin_alert', 'signed_in')
  async ask(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('iid') iid: number,
  ): Promise<HttpResponse> {
    const alert = await this.alerts.findByIid(project.id, iid);
    const { csrfToken } = pageContext;
    const page = <AcknowledgePage alert={alert} project={project} csrfToken={csrfToken} />;
    return pageContext.render(page, alertInfo(project, alert));
  }
}

interface AcknowledgePageProps {
  alert: FoundAlert;
  project: ProjectRow;
  csrfToken: string;
}

function AcknowledgePage({ alert, project, csrfToken }: AcknowledgePageProps): VNode {
  const status = statusOf(alert.status);
  const facts = [
    { label: 'Severity', value: <SeverityBadge severity={severityOf(alert.severity)} /> },
    { label: 'Status', value: <StatusBadge status={status} /> },
    { label: 'Events', value: String(alert.eventCount) },
  ];
  return (
    <>
      <PageHeader title={alert.title} />
      <Card>
        <DescriptionList items={facts} />
        {status !== 'triggered' && <p class="mt-4">This alert is already {status}.</p>}
        <div class="mt-4">
          <FormActions>
            {status === 'triggered' && (
              <PostButton
                action={`${alertsPath(project)}/${alert.iid}/status`}
                csrfToken={csrfToken}
                variant="primary"
                fields={{ status: 'acknowledged' }}
              >
                Acknowledge alert
              </PostButton>
            )}
            <ButtonLink href={alertPath(project, alert.iid)} variant="outline">
              View alert
            </ButtonLink>
          </FormActions>
        </div>
      </Card>
    </>
  );
}
