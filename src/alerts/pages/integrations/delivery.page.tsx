import type { VNode } from 'preact';
import { bytesText } from '../../../core/ui/amounts.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { Card, DescriptionList, type Fact } from '../../../core/ui/components/content.js';
import { FormActions, PostButton } from '../../../core/ui/components/form.js';
import { Time } from '../../../core/ui/components/time.js';
import type { PageShell } from '../../../core/ui/shell.js';
import type { ProjectRow } from '../../../projects/projects.repository.js';
import type { FoundDelivery } from '../../alert-deliveries.repository.js';
import type { IntegrationRow } from '../../alert-integrations.repository.js';
import { integrationsPath } from '../alert-paths.js';
import { AlertLinks } from './deliveries.page.js';
import { DeliveryStatus, SOURCE_LABELS } from './delivery-status.js';
import { IntegrationFrame } from './integration-frame.js';
import { prettyJson, RawText } from '../raw-text.js';

interface DeliveryPageProps {
  shell: PageShell;
  project: ProjectRow;
  integration: IntegrationRow;
  delivery: FoundDelivery;
}

/** One call of a webhook with what was sent. */
export function DeliveryPage({ shell, project, integration, delivery }: DeliveryPageProps): VNode {
  const { id, payload } = delivery;
  const path = `${integrationsPath(project)}/${integration.id}/deliveries`;
  return (
    <IntegrationFrame
      shell={shell}
      project={project}
      integration={integration}
      current="deliveries"
    >
      <Card title={`Delivery ${id}`}>
        <DescriptionList items={factsOf(delivery, project)} />
        <FormActions>
          {payload !== null && (
            <PostButton action={`${path}/${id}/replay`} csrfToken={shell.csrfToken}>
              Replay
            </PostButton>
          )}
          <ButtonLink href={path} variant="ghost">
            All deliveries
          </ButtonLink>
        </FormActions>
      </Card>
      <Card title="Payload">
        {payload === null ? (
          <p class="text-muted-foreground">What was sent was not kept.</p>
        ) : (
          <RawText label="Payload" text={prettyJson(payload.toString('utf8'))} />
        )}
      </Card>
    </IntegrationFrame>
  );
}

function factsOf(delivery: FoundDelivery, project: ProjectRow): Fact[] {
  return [
    { label: 'Time', value: <Time value={delivery.createdAt} /> },
    { label: 'Answer', value: <DeliveryStatus status={delivery.status} /> },
    { label: 'Refused because', value: delivery.error },
    { label: 'Calls', value: delivery.calls },
    { label: 'Alerts', value: <AlertLinks project={project} iids={delivery.alertIids} /> },
    { label: 'Source', value: SOURCE_LABELS[delivery.source] },
    { label: 'Size', value: bytesText(delivery.size) },
  ];
}
