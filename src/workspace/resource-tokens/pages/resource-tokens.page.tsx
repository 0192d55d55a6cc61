import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Badge, Card, EmptyState } from '../../../core/ui/components/content.js';
import { Pagination } from '../../../core/ui/components/pagination.js';
import { ActionsCell, Cell, Table } from '../../../core/ui/components/table.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { Time } from '../../../core/ui/components/time.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { roleName } from '../../../identity/members/roles.js';
import type { TokenResponse } from '../../../identity/tokens/token.presenter.js';
import { NewTokenCard, type NewTokenValues } from './new-token.js';
import type { TokensPageContext } from './tokens-places.js';

export interface ResourceTokensPageProps {
  pageContext: PageContext;
  place: TokensPageContext;
  page: Page<TokenResponse>;
  paging: { page: number; perPage: number };
  /** Lists expired and revoked tokens. */
  ended: boolean;
  values: NewTokenValues;
  errors: FormProblems | null;
}

const COLUMNS = [
  { label: 'Token' },
  { label: 'Scopes' },
  { label: 'Role' },
  { label: 'Last used' },
  { label: 'Ends on' },
  { label: 'Actions', hidden: true },
];

/** The access tokens of a project or group, and the form for a new one. */
export function ResourceTokensPage(props: ResourceTokensPageProps): VNode {
  const { pageContext, place, page, paging, ended, values, errors } = props;
  const form = (
    <NewTokenCard pageContext={pageContext} place={place} values={values} errors={errors} />
  );
  const inactive = `${place.path}?state=inactive`;
  const tabs = [
    { label: 'Active', href: place.path },
    { label: 'Ended', href: inactive },
  ];
  return place.frame(
    <>
      {errors !== null && form}
      <Tabs
        label="Access tokens"
        items={tabs}
        current={ended ? inactive : place.path}
        variant="pills"
      />
      {page.items.length === 0 ? (
        <EmptyState title={ended ? 'No token has ended' : 'No active access tokens'} />
      ) : (
        <Card flush>
          <Table caption="Access tokens" columns={COLUMNS}>
            {page.items.map((token) => (
              <TokenRowView key={token.id} token={token} place={place} pageContext={pageContext} />
            ))}
          </Table>
        </Card>
      )}
      <Pagination
        page={page}
        paging={paging}
        path={place.path}
        query={{ state: ended ? 'inactive' : null }}
      />
      {errors === null && form}
    </>,
  );
}

interface TokenRowProps {
  token: TokenResponse;
  place: TokensPageContext;
  pageContext: PageContext;
}

/** One token with the button that revokes it. */
function TokenRowView({ token, place, pageContext }: TokenRowProps): VNode {
  return (
    <tr>
      <Cell wrap>
        <span class="font-medium">{token.name}</span>
        {token.revoked && <Badge tone="danger">Revoked</Badge>}
        {token.description !== null && <div class="text-muted-foreground">{token.description}</div>}
      </Cell>
      <Cell wrap>{token.scopes.join(', ')}</Cell>
      <Cell>{token.access_level === undefined ? '' : roleName(token.access_level)}</Cell>
      <Cell>
        <Time value={token.last_used_at} />
      </Cell>
      <Cell>
        <Time value={token.expires_at} />
      </Cell>
      <ActionsCell>
        {token.active && (
          <ConfirmButton
            label="Revoke"
            question={`Programs that use the token ${token.name} lose access.`}
            confirm="Revoke token"
            action={`${place.path}/${token.id}/revoke`}
            csrfToken={pageContext.csrfToken}
            size="small"
          />
        )}
      </ActionsCell>
    </tr>
  );
}
