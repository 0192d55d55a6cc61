import type { VNode } from 'preact';
import { type EmailFacts, shortSha } from '../email-facts.js';
import { Facts, Items, Paragraph, Written } from '../email-parts.js';
import type { PipelineRow } from '../email-row.js';
import { Actor } from './actor.js';

const LINK = 'color:#1d4ed8';

interface NewsProps {
  facts: EmailFacts;
}

/** Someone commented. */
export function Commented({ facts: { row, baseUrl } }: NewsProps): VNode {
  const { actor, note } = row;
  const place = note?.path == null ? '' : ` on line ${note.line} of ${note.path}`;
  const what = note?.internal === true ? 'wrote an internal note' : 'commented';
  return (
    <>
      <Paragraph>
        <Actor person={actor} />
        {` ${what}${place}:`}
      </Paragraph>
      <Written text={note?.body ?? ''} baseUrl={baseUrl} />
    </>
  );
}

/** Result of a pipeline, for the user who ran it: `has failed`. */
export function PipelineEnded({ facts, what }: NewsProps & { what: string }): VNode | null {
  const { pipeline } = facts.row;
  if (pipeline === null) return null;
  return (
    <>
      <Paragraph>{`Your pipeline #${pipeline.id} ${what}.`}</Paragraph>
      <Facts facts={{ Branch: pipeline.ref, Commit: shortSha(pipeline.sha) }} />
      {facts.kind === 'failed_pipeline' && <FailedStatuses failed={pipeline.failed} />}
    </>
  );
}

function FailedStatuses({ failed }: Pick<PipelineRow, 'failed'>): VNode | null {
  if (failed.length === 0) return null;
  return (
    <>
      <Paragraph>What failed:</Paragraph>
      <Items>
        {failed.map(({ name, description, targetUrl }, at) => {
          const text = description ? `${name}, ${description}` : name;
          return (
            <li key={at}>{isWeb(targetUrl) ? <CiLink href={targetUrl} text={text} /> : text}</li>
          );
        })}
      </Items>
    </>
  );
}

function CiLink({ href, text }: { href: string; text: string }): VNode {
  return (
    <a href={href} style={LINK}>
      {text}
    </a>
  );
}

function isWeb(address: string | null): address is string {
  return address !== null && /^https?:\/\//i.test(address);
}

/** A project has another address than before. */
export function Moved({ facts: { row, baseUrl } }: NewsProps): VNode {
  const { actor, formerPath, project } = row;
  return (
    <>
      <Paragraph>
        <Actor person={actor} />
        {' moved this project.'}
      </Paragraph>
      <Facts facts={{ 'Old path': formerPath, 'New path': project.path }} />
      <Paragraph>Tell your clones of the new address:</Paragraph>
      <p style="margin:0 0 16px">
        <code>{`git remote set-url origin ${baseUrl}/${project.path}.git`}</code>
      </p>
    </>
  );
}
