import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { filledAddress } from '../../../core/ui/addresses.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { Badge, Card, EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { PostButton } from '../../../core/ui/components/form.js';
import { Item, ItemList, Pagination } from '../../../core/ui/components/list.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { Time } from '../../../core/ui/components/time.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import {
  SILENCE_STATES,
  type Matcher,
  type SilenceRow,
  type SilenceState,
} from '../../silences/alert-silences.repository.js';
import { silencesPath } from '../alert-paths.js';

const LABELS: Record<SilenceState, string> = {
  active: 'Active',
  pending: 'Scheduled',
  expired: 'Expired',
};

interface SilencesPageProps {
  pageContext: PageContext;
  project: ProjectRow;
  silences: Page<SilenceRow>;
  counts: Record<SilenceState, number>;
  state: SilenceState;
  paging: { page: number; perPage: number };
  /** True for a viewer who can change alerts of this project. */
  mayChange: boolean;
}

/** The silences of a project in one state. */
export function SilencesPage(props: SilencesPageProps): VNode {
  const { project, silences, counts, state, paging, mayChange } = props;
  const path = silencesPath(project);
  const hrefOf = (one: SilenceState): string =>
    filledAddress(path, { state: one === 'active' ? null : one });
  const create = mayChange ? <ButtonLink href={`${path}/new`}>New silence</ButtonLink> : undefined;
  const isEmpty = silences.items.length === 0;
  return (
    <>
      <PageHeader title="Silences" actions={create} />
      <Tabs
        label="States"
        items={SILENCE_STATES.map((one) => ({
          label: LABELS[one],
          href: hrefOf(one),
          count: counts[one],
        }))}
        current={hrefOf(state)}
      />
      {isEmpty ? (
        <NoSilences state={state} action={state === 'active' ? create : undefined} />
      ) : (
        <Card flush>
          <ItemList label="Silences">
            {silences.items.map((silence) => (
              <SilenceLine key={silence.id} {...props} silence={silence} />
            ))}
          </ItemList>
        </Card>
      )}
      <Pagination page={silences} paging={paging} path={path} query={{ state }} />
    </>
  );
}

function NoSilences({ state, action }: { state: SilenceState; action: VNode | undefined }): VNode {
  return (
    <EmptyState title={`No ${LABELS[state].toLowerCase()} silences`} action={action}>
      Silence alerts during maintenance: they are still recorded, but open no incidents and send no
      emails.
    </EmptyState>
  );
}

function SilenceLine({
  silence,
  pageContext,
  project,
  mayChange,
}: SilencesPageProps & { silence: SilenceRow }): VNode {
  const { id, state, comment, matchers, author, startsAt, endsAt } = silence;
  return (
    <Item
      title={
        <>
          <span class="wrap-anywhere font-medium">{comment}</span>
          {matchers.map((matcher, index) => (
            <Badge key={index} tone="label">
              {matcherText(matcher)}
            </Badge>
          ))}
        </>
      }
      actions={
        mayChange && state !== 'expired' ? (
          <PostButton
            action={`${silencesPath(project)}/${id}/expire`}
            csrfToken={pageContext.csrfToken}
            size="small"
          >
            Expire
            <span class="sr-only"> silence {id}</span>
          </PostButton>
        ) : undefined
      }
    >
      <div class="flex flex-wrap items-center gap-x-3">
        {author !== null && (
          <span>
            by <a href={`/${author.username}`}>{author.name}</a>
          </span>
        )}
        {state === 'pending' && (
          <span>
            Starts <Time value={startsAt} />
          </span>
        )}
        <span>
          {state === 'expired' ? 'Ended ' : 'Ends '}
          <Time value={endsAt} />
        </span>
      </div>
    </Item>
  );
}

function matcherText({ name, value, isEqual }: Matcher): string {
  return `${name} ${isEqual ? '=' : '≠'} ${value}`;
}
