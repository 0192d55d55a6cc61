import { STATUS_CODES } from 'node:http';
import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { bytesText, counted } from '../../../core/ui/amounts.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import {
  Card,
  EmptyState,
  DescriptionList,
  type Fact,
  Badge,
} from '../../../core/ui/components/content.js';
import { PostButton, FormActions } from '../../../core/ui/components/form.js';
import { Item, ItemList, Pagination } from '../../../core/ui/components/list.js';
import { Time } from '../../../core/ui/components/time.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import type {
  DeliveryRow,
  DeliverySource,
  FoundDelivery,
} from '../../alert-deliveries.repository.js';
import type { IntegrationRow } from '../../alert-integrations.repository.js';
import { alertPath, integrationsPath } from '../alert-paths.js';
import { prettyJson, RawText } from '../raw-text.js';
import { IntegrationFrame } from './integration.page.js';

interface DeliveriesPageProps {
  pageContext: PageContext;
  project: ProjectRow;
  integration: IntegrationRow;
  deliveries: Page<DeliveryRow>;
  paging: { page: number; perPage: number };
}

/** The latest requests to an integration's webhook with their responses. */
export function DeliveriesPage(props: DeliveriesPageProps): VNode {
  const { pageContext, project, integration, deliveries, paging } = props;
  const path = `${integrationsPath(project)}/${integration.id}/deliveries`;
  return (
    <IntegrationFrame
      pageContext={pageContext}
      project={project}
      integration={integration}
      current="deliveries"
    >
      {deliveries.items.length === 0 ? (
        <EmptyState title="No deliveries yet">
          Requests to the webhook URL appear here, including rejected ones.
        </EmptyState>
      ) : (
        <Card flush>
          <ItemList label="Deliveries">
            {deliveries.items.map((delivery) => (
              <DeliveryLine
                key={delivery.id}
                delivery={delivery}
                project={project}
                path={path}
                csrfToken={pageContext.csrfToken}
              />
            ))}
          </ItemList>
        </Card>
      )}
      <Pagination page={deliveries} paging={paging} path={path} />
    </IntegrationFrame>
  );
}

interface DeliveryLineProps {
  delivery: DeliveryRow;
  project: ProjectRow;
  path: string;
  csrfToken: string;
}

function DeliveryLine({ delivery, project, path, csrfToken }: DeliveryLineProps): VNode {
  const { status, error, calls, source, size, createdAt, alertIids } = delivery;
  return (
    <Item
      title={
        <>
          <DeliveryStatus status={status} />
          <Time value={createdAt} />
        </>
      }
      actions={<DeliveryActions {...delivery} path={path} csrfToken={csrfToken} />}
    >
      {error !== null && <p class="text-foreground">{error}</p>}
      <ul class="flex flex-wrap gap-x-4 gap-y-0.5">
        <li>{SOURCE_LABELS[source]}</li>
        <li>{bytesText(size)}</li>
        {calls > 1 && <li>{counted(calls, 'request')}</li>}
        {alertIids.length > 0 && (
          <li class="flex flex-wrap gap-x-1.5">
            Alerts <AlertLinks project={project} iids={alertIids} />
          </li>
        )}
      </ul>
    </Item>
  );
}

type DeliveryActionsProps = Pick<DeliveryRow, 'id' | 'hasPayload'> &
  Pick<DeliveryLineProps, 'path' | 'csrfToken'>;

function DeliveryActions({ id, hasPayload, path, csrfToken }: DeliveryActionsProps): VNode {
  return (
    <>
      <ButtonLink href={`${path}/${id}`} variant="outline" size="small">
        Details<span class="sr-only"> of delivery {id}</span>
      </ButtonLink>
      {hasPayload && (
        <PostButton action={`${path}/${id}/replay`} csrfToken={csrfToken} size="small">
          Replay<span class="sr-only"> delivery {id}</span>
        </PostButton>
      )}
    </>
  );
}

const MOST_LINKS = 10;

/** Links to the first alerts that a delivery touched. */
export function AlertLinks({ project, iids }: { project: ProjectRow; iids: number[] }): VNode {
  if (iids.length === 0) return <span class="text-muted-foreground">None</span>;
  return (
    <span class="flex flex-wrap gap-x-2">
      {iids.slice(0, MOST_LINKS).map((iid) => (
        <a key={iid} class="prose-link" href={alertPath(project, iid)}>
          #{iid}
        </a>
      ))}
      {iids.length > MOST_LINKS && <span>{`and ${iids.length - MOST_LINKS} more`}</span>}
    </span>
  );
}

interface DeliveryPageProps {
  pageContext: PageContext;
  project: ProjectRow;
  integration: IntegrationRow;
  delivery: FoundDelivery;
}

/** A request to a webhook with its response and payload. */
export function DeliveryPage({
  pageContext,
  project,
  integration,
  delivery,
}: DeliveryPageProps): VNode {
  const { id, payload } = delivery;
  const path = `${integrationsPath(project)}/${integration.id}/deliveries`;
  return (
    <IntegrationFrame
      pageContext={pageContext}
      project={project}
      integration={integration}
      current="deliveries"
    >
      <Card title={`Delivery #${id}`}>
        <DescriptionList items={factsOf(delivery, project)} />
        <FormActions>
          {payload !== null && (
            <PostButton action={`${path}/${id}/replay`} csrfToken={pageContext.csrfToken}>
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
          <p class="text-muted-foreground">Payload not stored</p>
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
    { label: 'Response', value: <DeliveryStatus status={delivery.status} /> },
    { label: 'Error', value: delivery.error },
    { label: 'Requests', value: delivery.calls },
    { label: 'Alerts', value: <AlertLinks project={project} iids={delivery.alertIids} /> },
    { label: 'Source', value: SOURCE_LABELS[delivery.source] },
    { label: 'Size', value: bytesText(delivery.size) },
  ];
}

const FIRST_REFUSAL = 400;

/** Response status of a webhook delivery. */
export function DeliveryStatus({ status }: { status: number }): VNode {
  return (
    <Badge tone={status < FIRST_REFUSAL ? 'success' : 'danger'}>
      {`${status} ${STATUS_CODES[status] ?? ''}`.trim()}
    </Badge>
  );
}

/** Labels of the senders of deliveries. */
export const SOURCE_LABELS: Record<DeliverySource, string> = {
  webhook: 'Webhook',
  test: 'Test alert',
  replay: 'Replay',
};
