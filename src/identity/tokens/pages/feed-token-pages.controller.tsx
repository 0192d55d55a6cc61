import { Controller, Post } from '@nestjs/common';
import type { VNode } from 'preact';
import { Page } from '../../../core/access/access.decorator.js';
import { Auth, type SignedInContext } from '../../../core/access/auth-context.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { RateLimit } from '../../../core/rate-limits/named-limits.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Card } from '../../../core/ui/components/content.js';
import { CopyField } from '../../../core/ui/components/copy.js';
import { FormActions, PostButton } from '../../../core/ui/components/form.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { FEED_TOKEN_PATH, FeedTokens } from '../feed-tokens.service.js';

const PATH = '/-/user_settings/feed_token';

/** Forms of the viewer's feed token. */
@Controller(atRoot('-/user_settings/feed_token'))
@Page('signed_in')
export class FeedTokenPagesController {
  constructor(private readonly tokens: FeedTokens) {}

  /** Creates a token, or replaces the current one. */
  @Post()
  @RateLimit('token_creation')
  async reset(
    @Context() pageContext: PageContext,
    @Auth() auth: SignedInContext,
  ): Promise<HttpResponse> {
    await this.tokens.reset(auth);
    return pageContext.redirect(FEED_TOKEN_PATH, { notice: 'Feed token created' });
  }

  @Post('revoke')
  async revoke(
    @Context() pageContext: PageContext,
    @Auth() auth: SignedInContext,
  ): Promise<HttpResponse> {
    await this.tokens.revoke(auth);
    return pageContext.redirect(FEED_TOKEN_PATH, { notice: 'Feed token revoked' });
  }
}

interface FeedTokenCardProps {
  /** null without one. */
  token: string | null;
  csrfToken: string;
}

/** The feed token on the page of access tokens. */
export function FeedTokenCard({ token, csrfToken }: FeedTokenCardProps): VNode {
  return (
    <div id="feed-token" class="scroll-mt-4">
      <Card title="Feed token">
        <p class="text-muted-foreground">
          Authenticates Atom feeds of activity in feed readers, and nothing else. Anyone with the
          token can read your feeds.
        </p>
        {token === null ? (
          <div>
            <PostButton action={PATH} csrfToken={csrfToken}>
              Create feed token
            </PostButton>
          </div>
        ) : (
          <>
            <CopyField label="Feed token" value={token} />
            <FormActions>
              <ConfirmButton
                label="Reset"
                title="Reset the feed token?"
                question="Feed URLs with the current token stop working immediately."
                confirm="Reset feed token"
                action={PATH}
                csrfToken={csrfToken}
                variant="outline"
              />
              <ConfirmButton
                label="Revoke"
                title="Revoke the feed token?"
                question="Feed URLs with this token stop working immediately."
                confirm="Revoke feed token"
                action={`${PATH}/revoke`}
                csrfToken={csrfToken}
              />
            </FormActions>
          </>
        )}
      </Card>
    </div>
  );
}
