import type { VNode } from 'preact';
import { Card } from '../../../../core/ui/components/content.js';
import { httpLink } from '../../../../core/ui/http-link.js';
import type { EventRequest } from '../../../events/surroundings.js';
import { LongText } from './fold.js';
import { TextPairsPart } from './text-pairs.js';

/** HTTP request of the event. */
export function RequestCard({ request }: { request: EventRequest | null }): VNode | null {
  if (request === null) return null;
  const { method, url, query, headers, cookies, data, env } = request;
  return (
    <Card title="Request">
      <p class="font-mono text-sm wrap-anywhere">
        {method !== null && <strong>{method} </strong>}
        {url === null ? 'The address was not sent.' : <RequestUrl url={url} />}
      </p>
      <TextPairsPart title="Query" pairs={query} noun="parameters" />
      <TextPairsPart title="Headers" pairs={headers} noun="headers" />
      <TextPairsPart title="Cookies" pairs={cookies} noun="cookies" />
      {data !== null && data !== '' && (
        <section class="grid grid-cols-1 gap-2">
          <h3 class="text-sm font-semibold">Body</h3>
          <div class="font-mono text-sm">
            <LongText text={data} />
          </div>
        </section>
      )}
      <TextPairsPart title="Server" pairs={env} noun="variables" />
    </Card>
  );
}

/** The only text of an event that may become a link, and that only with http or https. */
function RequestUrl({ url }: { url: string }): VNode {
  const href = httpLink(url);
  if (href === null) return <>{url}</>;
  return (
    <a href={href} rel="nofollow noopener noreferrer">
      {url}
    </a>
  );
}
