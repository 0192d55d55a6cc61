import type { VNode } from 'preact';
import { filledAddress } from '../../../core/ui/addresses.js';
import { Button, ButtonLink, OverflowMenu } from '../../../core/ui/components/button.js';
import {
  Card,
  DescriptionList,
  type Fact,
  PageHeader,
} from '../../../core/ui/components/content.js';
import { Copyable } from '../../../core/ui/components/copy.js';
import { Form, FormErrors } from '../../../core/ui/components/form.js';
import { pagingParams } from '../../../core/ui/components/list.js';
import { LiveRegion, Toast, type Message } from '../../../core/ui/components/live-region.js';
import { TodoButton } from '../../../core/ui/components/todo-button.js';
import { ReferencedText } from '../../../core/ui/components/markdown.js';
import { TextArea } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import {
  DiscussionCard,
  NoteTimeline,
  type ShownNotes,
} from '../../../workspace/notes/pages/note-timeline.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { severityOf, statusOf } from '../../alert-values.js';
import type { FoundAlert } from '../../sql/alert-list.js';
import {
  mayChangeAlerts,
  SeverityBadge,
  SilencedBadge,
  StatusBadge,
  StatusButtons,
} from '../alert-status.js';
import type { AlertDeliveryRow } from '../../alert-deliveries.repository.js';
import { AssigneeCard, IncidentCard } from './alert-cards.js';
import { alertsPath, silencesPath } from '../alert-paths.js';
import type { AssigneeCandidate } from '../../alerts.repository.js';
import { countText } from '../../../core/ui/amounts.js';
import type { JsonObject } from '../../parsing/incoming-alert.js';
import { flattenPayload } from '../../parsing/payload-details.js';
import { prettyValue, RawText } from '../raw-text.js';
import { AlertFacts, EventsCard } from './alert-facts.js';

const LIVE_SECONDS = 5;
const REGION = 'alert';
/** Changes of the status with a button; the others are in the menu. */
const LIKELY_STEPS = 2;

/** Input of a rejected form of the page. */
export interface RefusedForm {
  errors: FormProblems;
  comment?: string;
  issueIid?: string;
}

/** Alert and viewer of the page. */
export interface AlertPageProps extends ShownNotes {
  pageContext: PageContext;
  project: ProjectRow;
  alert: FoundAlert;
  people: AssigneeCandidate[];
  /** The latest deliveries with its events. */
  deliveries: AlertDeliveryRow[];
  /** Events in each of the last 24 hours. */
  trend: readonly number[];
  refused?: RefusedForm | undefined;
  /** Outcome of the action that the region answers. */
  message?: Message | undefined;
}

/** An alert, as a live region: forms that are being filled in outlive its renewal. */
export function AlertPage(props: AlertPageProps): VNode {
  const { pageContext, project, alert, people, deliveries, notes, paging, refused } = props;
  const base = `${alertsPath(project)}/${alert.iid}`;
  const mayChange = mayChangeAlerts(project, pageContext.viewer);
  const side = { pageContext, project, alert, base, errors: refused?.errors ?? null };
  return (
    <LiveRegion
      id={REGION}
      href={filledAddress(`${base}/details/live`, pagingParams(paging))}
      seconds={refused === undefined ? LIVE_SECONDS : null}
      label="Alert"
    >
      <div class="grid grid-cols-1 gap-4">
        <AlertHeading {...{ alert, project, base, mayChange }} csrfToken={pageContext.csrfToken} />
        <FormErrors errors={refused?.errors} />
        <div class="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <div class="grid grid-cols-1 gap-4">
            <Card title="Details">
              {alert.description !== null && (
                <p class="max-w-prose wrap-anywhere whitespace-pre-wrap">
                  <ReferencedText text={alert.description} />
                </p>
              )}
              <AlertFacts {...{ alert, project, mayChange }} />
            </Card>
            <DiscussionCard
              title="Activity"
              notes={notes}
              timeline={<NoteTimeline notes={notes} paging={paging} path={`${base}/details`} />}
              form={
                mayChange ? (
                  <CommentForm base={base} csrfToken={pageContext.csrfToken} refused={refused} />
                ) : null
              }
            />
          </div>
          <div class="grid grid-cols-1 gap-4">
            {mayChange && <AssigneeCard {...side} people={people} />}
            {mayChange && project.issuesEnabled && (
              <IncidentCard {...side} issueIid={refused?.issueIid ?? ''} />
            )}
            <EventsCard {...side} deliveries={deliveries} trend={props.trend} />
          </div>
        </div>
        <PayloadCard payload={alert.payload} />
      </div>
      <Toast message={props.message} />
    </LiveRegion>
  );
}

interface AlertHeadingProps {
  alert: FoundAlert;
  project: ProjectRow;
  base: string;
  csrfToken: string;
  mayChange: boolean;
}

function AlertHeading(props: AlertHeadingProps): VNode {
  const { alert, project, base, csrfToken, mayChange } = props;
  const status = statusOf(alert.status);
  const action = `${base}/status`;
  const steps = { alert: { title: alert.title, status }, action, csrfToken, region: REGION };
  return (
    <PageHeader
      title={
        <>
          {alert.title} <span class="text-muted-foreground font-normal">#{alert.iid}</span>
        </>
      }
      state={
        <>
          <SeverityBadge severity={severityOf(alert.severity)} />
          <StatusBadge status={status} />
          <SilencedBadge alert={alert} />
        </>
      }
      actions={
        <>
          <TodoButton target={{ type: 'alert', id: alert.id, projectId: alert.projectId }} />
          {mayChange && <StatusButtons {...steps} limit={LIKELY_STEPS} />}
          {mayChange && (
            <OverflowMenu of={`alert #${alert.iid}`}>
              <StatusButtons {...steps} from={LIKELY_STEPS} />
              <ButtonLink
                href={`${silencesPath(project)}/new?alert=${alert.iid}`}
                variant="outline"
              >
                Silence
              </ButtonLink>
            </OverflowMenu>
          )}
        </>
      }
    />
  );
}

interface CommentFormProps {
  base: string;
  csrfToken: string;
  refused: RefusedForm | undefined;
}

function CommentForm({ base, csrfToken, refused }: CommentFormProps): VNode {
  return (
    <div id="comment-form" hx-morph-skip="true">
      <Form
        action={`${base}/comments`}
        csrfToken={csrfToken}
        label="Comment"
        class="grid w-full gap-4"
      >
        <TextArea
          name="body"
          markdown
          label="Comment"
          hint="Supports Markdown"
          value={refused?.comment}
          errors={refused?.errors.fields['body']}
          required
        />
        <div>
          <Button variant="outline">Add comment</Button>
        </div>
      </Form>
    </div>
  );
}

const MOST_FIELDS = 100;
const LONGEST_NAME = 48;
const LONGEST_VALUE = 500;

/** Payload of the alert: its fields one by one, and the raw text. */
function PayloadCard({ payload }: { payload: JsonObject }): VNode {
  const fields = Object.entries(flattenPayload(payload));
  const hidden = fields.length - MOST_FIELDS;
  return (
    <Card title="Payload">
      {fields.length > 0 && <DescriptionList items={fields.slice(0, MOST_FIELDS).map(factOf)} />}
      {hidden > 0 && <p class="text-muted-foreground">{`And ${countText(hidden)} more.`}</p>}
      <details>
        <summary class="w-fit">Raw payload</summary>
        <div class="mt-2 grid grid-cols-1 gap-2">
          <RawText label="Payload" text={prettyValue(payload)} />
        </div>
      </details>
    </Card>
  );
}

function factOf([name, value]: [string, unknown]): Fact {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return {
    label: cut(name, LONGEST_NAME),
    value: (
      <Copyable noun={cut(name, LONGEST_NAME)}>
        <span class="wrap-anywhere">{cut(text, LONGEST_VALUE)}</span>
      </Copyable>
    ),
  };
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
