import type { VNode } from 'preact';
import { ConfirmButton } from '../../core/ui/components/confirm-button.js';
import { Badge } from '../../core/ui/components/content.js';
import { ActionsCell, Cell } from '../../core/ui/components/table.js';
import { Time } from '../../core/ui/components/time.js';
import type { PageShell } from '../../core/ui/shell.js';
import { roleName } from '../../members/roles.js';
import type { PresentedToken } from '../../tokens/token.presenter.js';
import type { TokensPlace } from './tokens-place.js';

interface TokenRowProps {
  token: PresentedToken;
  place: TokensPlace;
  shell: PageShell;
}

/** One token with the button that revokes it. */
export function TokenRowView({ token, place, shell }: TokenRowProps): VNode {
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
            question={`Whatever uses the token ${token.name} is refused from now on.`}
            confirm="Revoke token"
            action={`${place.path}/${token.id}/revoke`}
            csrfToken={shell.csrfToken}
            size="small"
          />
        )}
      </ActionsCell>
    </tr>
  );
}
