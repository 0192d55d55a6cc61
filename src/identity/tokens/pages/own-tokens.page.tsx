import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { ButtonLink, Button } from '../../../core/ui/components/button.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Badge, Card, EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { Item, ItemList } from '../../../core/ui/components/item-list.js';
import { Pagination } from '../../../core/ui/components/pagination.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import { Time } from '../../../core/ui/components/time.js';
import type { TokenResponse } from '../token.presenter.js';
import type { Scope } from '../../../core/access/scopes.js';
import { ScopeFields } from '../../../core/ui/components/scope-fields.js';
import { FormErrors } from '../../../core/ui/components/form-errors.js';
import { Form, FormActions } from '../../../core/ui/components/form.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import { FeedTokenCard } from './feed-token.controller.js';
import type { PossibleDays } from '../token-expiry.service.js';

export const TOKENS_PATH = '/-/user_settings/personal_access_tokens';

interface OwnTokensPageProps {
  state: 'active' | 'inactive';
  tokens: Page<TokenResponse>;
  paging: { page: number; perPage: number };
  csrfToken: string;
  /** null without one. */
  feedToken: string | null;
}

const TABS = [
  { label: 'Active', href: TOKENS_PATH },
  { label: 'Inactive', href: `${TOKENS_PATH}?state=inactive` },
];

/** The user's personal access tokens of one state. */
export function OwnTokensPage(props: OwnTokensPageProps): VNode {
  const { state, tokens, paging, csrfToken, feedToken } = props;
  const isActive = state === 'active';
  const path = TOKENS_PATH;
  return (
    <>
      <PageHeader
        title="Access tokens"
        description="Tokens authenticate you to the API and Git. Treat them like passwords."
        actions={<ButtonLink href={`${TOKENS_PATH}/new`}>New token</ButtonLink>}
      />
      <Tabs label="Tokens" items={TABS} current={isActive ? path : `${path}?state=inactive`} />
      {tokens.items.length === 0 ? (
        <NoTokens isActive={isActive} />
      ) : (
        <Card flush>
          <ItemList label={isActive ? 'Active tokens' : 'Inactive tokens'}>
            {tokens.items.map((token) => (
              <TokenItem key={token.id} token={token} path={path} csrfToken={csrfToken} />
            ))}
          </ItemList>
        </Card>
      )}
      <Pagination
        page={tokens}
        paging={paging}
        path={path}
        query={{ state: isActive ? null : state }}
      />
      <FeedTokenCard token={feedToken} csrfToken={csrfToken} />
    </>
  );
}

function NoTokens({ isActive }: { isActive: boolean }): VNode {
  if (!isActive) {
    return (
      <EmptyState title="No inactive tokens">Expired and revoked tokens appear here.</EmptyState>
    );
  }
  return (
    <EmptyState
      title="No active tokens"
      action={
        <ButtonLink href={`${TOKENS_PATH}/new`} variant="outline">
          New token
        </ButtonLink>
      }
    >
      Use one token per application with the minimum scopes.
    </EmptyState>
  );
}

interface TokenItemProps {
  token: TokenResponse;
  /** Of the list; the token's actions are posted below it. */
  path: string;
  csrfToken: string;
}

/** A token in a list; one that works can be rotated and revoked. */
function TokenItem(props: TokenItemProps): VNode {
  const { token } = props;
  const title = (
    <>
      <span class="min-w-0">{token.name}</span>
      {token.scopes.map((scope) => (
        <Badge key={scope}>{scope}</Badge>
      ))}
      {token.revoked && <Badge tone="danger">Revoked</Badge>}
      {!token.active && !token.revoked && <Badge tone="warning">Expired</Badge>}
    </>
  );
  return (
    <Item title={title} actions={token.active ? <Actions {...props} /> : undefined}>
      {token.description !== null && <p class="text-foreground">{token.description}</p>}
      <p>
        Created <Time value={token.created_at} /> · <LastUse token={token} /> ·{' '}
        <End token={token} />
      </p>
    </Item>
  );
}

function LastUse({ token }: { token: TokenResponse }): VNode {
  const [address] = token.last_used_ips;
  if (token.last_used_at === null) return <>Never used</>;
  return (
    <>
      Last used <Time value={token.last_used_at} />
      {address !== undefined && ` from ${address}`}
    </>
  );
}

function End({ token }: { token: TokenResponse }): VNode {
  if (token.expires_at === null) return <>Never expires</>;
  return (
    <>
      {token.active ? 'Expires' : 'Expired'} <Time value={token.expires_at} />
    </>
  );
}

function Actions({ token, path, csrfToken }: TokenItemProps): VNode {
  const about = { csrfToken, size: 'small' as const };
  return (
    <>
      <ConfirmButton
        label="Rotate"
        question={`Creates a new token with the same name and scopes. “${token.name}” stops working immediately.`}
        confirm="Rotate token"
        action={`${path}/${token.id}/rotate`}
        variant="outline"
        {...about}
      >
        <TextField
          name="expires_at"
          id={`expires-at-${token.id}`}
          label="Expiry date"
          type="date"
          hint="Defaults to one week."
        />
      </ConfirmButton>
      <ConfirmButton
        label="Revoke"
        question={`Applications using “${token.name}” will lose access immediately.`}
        confirm="Revoke token"
        action={`${path}/${token.id}/revoke`}
        {...about}
      />
    </>
  );
}

/** Values as the form shows them. */
export interface NewTokenValues {
  name: string;
  description: string;
  /** `YYYY-MM-DD` or empty. */
  expires_at: string;
  scopes: readonly string[];
}

interface NewTokenPageProps {
  values: NewTokenValues;
  /** Those that the user can choose. */
  scopes: readonly Scope[];
  days: PossibleDays;
  errors?: FormProblems;
  csrfToken: string;
}

/** The form for a personal access token. */
export function NewTokenPage(props: NewTokenPageProps): VNode {
  const { values, scopes, errors, csrfToken } = props;
  return (
    <>
      <PageHeader title="New access token" />
      <Card>
        <Form action={TOKENS_PATH} csrfToken={csrfToken}>
          <FormErrors errors={errors} />
          <TextField
            name="name"
            label="Name"
            hint="Shown in your list of tokens"
            value={values.name}
            errors={errors?.fields['name']}
            required
            maxLength={255}
            autocomplete="off"
          />
          <TextField
            name="description"
            label="Description"
            value={values.description}
            errors={errors?.fields['description']}
            maxLength={255}
          />
          <ExpiryField {...props} />
          <ScopeFields
            scopes={scopes}
            values={values.scopes}
            hint="Select the minimum the application needs."
            errors={errors?.fields['scopes']}
          />
          <FormActions>
            <Button>Create token</Button>
            <ButtonLink href={TOKENS_PATH} variant="ghost">
              Cancel
            </ButtonLink>
          </FormActions>
        </Form>
      </Card>
    </>
  );
}

function ExpiryField({ values, days: { earliest, latest }, errors }: NewTokenPageProps): VNode {
  return (
    <TextField
      name="expires_at"
      label="Expiry date"
      type="date"
      hint={
        latest === null
          ? 'Expires at 00:00 UTC. Leave blank for no expiry.'
          : `Expires at 00:00 UTC. Defaults to ${latest} (maximum).`
      }
      value={values.expires_at}
      errors={errors?.fields['expires_at']}
      min={earliest}
      {...(latest !== null && { max: latest })}
    />
  );
}
