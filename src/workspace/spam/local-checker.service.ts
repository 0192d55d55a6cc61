import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SpamLogsRepository } from './spam-logs.repository.js';
import { wholeText, type SpamSender, type Submission } from './submission.js';

const LINK = /(?:https?:\/\/|\bwww\.)[^\s<>"'`()[\]{}|\\^]+/gi;

/** Every web link in the text, as it is written. */
export function linksIn(text: string): string[] {
  return text.match(LINK) ?? [];
}

/** The text without its links. */
function withoutLinks(text: string): string {
  return text.replace(LINK, ' ');
}

/** The host that a link of `linksIn` leads to, in lower case, without user name and port. */
export function hostOf(link: string): string {
  const [authority = ''] = link.replace(/^https?:\/\//i, '').split(/[/?#]/, 1);
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return host.replace(/:\d*$/, '').toLowerCase();
}

/** A submission with what is known about its author. */
export interface SpamFacts extends Submission {
  accountAgeHours: number;
  /** Number of times that the author sent the same text in the last minutes, without this one. */
  repetitions: number;
  /** Host of the instance; links to it do not count. */
  ownHost: string;
}

/** Answers why the submission looks like spam, or null. */
type SpamRule = (facts: SpamFacts) => string | null;

const DAY = 24;
const WEEK = 7 * DAY;
const MONTH = 30 * DAY;

/** Links to other hosts in title and description that an account of an age can send. */
const LINK_ALLOWANCES = [
  { youngerThanHours: DAY, links: 5 },
  { youngerThanHours: MONTH, links: 20 },
  { youngerThanHours: Infinity, links: 60 },
];

/** Bots quote release notes full of links, but to few hosts. */
const MERGE_REQUEST_HOSTS = 20;

const REPETITIONS = 5;
const SHORT_COMMENT = 40;
const BARE_LINKS = { new: 3, known: 10 };
const FEW_LETTERS = 12;

const CODE = /```[\s\S]*?```|`[^`\n]*`/g;
const FORBIDDEN_TARGET =
  /(?:\]\(|\bhref\s{0,3}=\s{0,3}["']?|<)\s{0,3}(?:javascript:|vbscript:|data:text\/html)/i;
const TOLL_FREE = /(?:\+\d{1,3}|\b1)[\s.-]{0,3}\(?8\d\d\)?[\s.-]{0,3}\d{3}[\s.-]{0,3}\d{4}\b/g;

/**
 * More links in title and description than an account of that age usually has to show; in merge
 * requests links to too many hosts.
 */
export function tooManyLinks(facts: SpamFacts): string | null {
  const links = foreignLinks(`${facts.title}\n${facts.prose}`, facts.ownHost);
  if (facts.kind === 'merge_request') {
    const hosts = new Set(links.map(hostOf)).size;
    return hosts > MERGE_REQUEST_HOSTS ? `links to ${hosts} hosts` : null;
  }
  const count = links.length;
  const allowance = LINK_ALLOWANCES.find((row) => facts.accountAgeHours < row.youngerThanHours);
  return allowance !== undefined && count > allowance.links ? `${count} links` : null;
}

/** A text of links with hardly a word; files only from accounts younger than a week. */
export function nothingButLinks(facts: SpamFacts): string | null {
  const isNew = facts.accountAgeHours < WEEK;
  const bound = isNew ? BARE_LINKS.new : BARE_LINKS.known;
  const texts = isNew ? [facts.prose, ...facts.files] : [facts.prose];
  return texts.some((text) => isHeapOfLinks(text, bound, facts.ownHost)) ? 'only links' : null;
}

/** Matches a link in the description that runs a script, except in code. */
export function scriptLink({ prose }: SpamFacts): string | null {
  return FORBIDDEN_TARGET.test(prose.replace(CODE, ' ')) ? 'a link that runs a script' : null;
}

/**
 * The same text again and again; short comments such as "LGTM" repeat by themselves, and tools open
 * the same merge request in many projects.
 */
export function repeatedText({ kind, title, prose, repetitions }: SpamFacts): string | null {
  if (kind === 'merge_request') return null;
  const isShort = kind === 'comment' && title === '' && prose.length <= SHORT_COMMENT;
  if (isShort && linksIn(prose).length === 0) return null;
  return repetitions >= REPETITIONS ? `the same text ${repetitions + 1} times` : null;
}

/** Toll-free numbers of pretended support lines, from accounts younger than a week. */
export function tollFreeNumbers({ title, prose, accountAgeHours }: SpamFacts): string | null {
  if (accountAgeHours >= WEEK) return null;
  const inTitle = title.match(TOLL_FREE)?.length ?? 0;
  const inProse = prose.match(TOLL_FREE)?.length ?? 0;
  return inTitle > 0 || inProse > 1 ? 'toll-free numbers' : null;
}

/** Local rules that need no external service, in their order. */
export const LOCAL_RULES: readonly SpamRule[] = [
  repeatedText,
  scriptLink,
  tooManyLinks,
  nothingButLinks,
  tollFreeNumbers,
];

function foreignLinks(text: string, ownHost: string): string[] {
  return linksIn(text).filter((link) => hostOf(link) !== ownHost);
}

function isHeapOfLinks(text: string, bound: number, ownHost: string): boolean {
  if (foreignLinks(text, ownHost).length < bound) return false;
  const letters = withoutLinks(text).match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return letters < FEW_LETTERS;
}

/** Checks a text and its author against LOCAL_RULES, which need no other service. */
@Injectable()
export class LocalChecker {
  constructor(private readonly logs: SpamLogsRepository) {}

  /** Returns why the submission looks like spam, or null; remembers it for the next one. */
  async suspicion(submission: Submission, sender: SpamSender): Promise<string | null> {
    const digest = digestOf(submission);
    const history = await this.logs.rememberSubmission(sender.viewer.id, digest);
    // The account was deleted meanwhile: what follows will fail for that reason.
    if (history === null) return null;
    const ownHost = new URL(sender.baseUrl).hostname;
    const { accountAgeHours } = history;
    const comments = (submission.comments ?? []).map((prose) => {
      return {
        kind: 'comment',
        title: '',
        prose,
        files: [],
        accountAgeHours,
        repetitions: 0,
      } as const;
    });
    for (const text of [{ ...submission, ...history }, ...comments]) {
      const reason = suspicionOf({ ...text, ownHost });
      if (reason !== null) return reason;
    }
    return null;
  }
}

function suspicionOf(facts: SpamFacts): string | null {
  for (const rule of LOCAL_RULES) {
    const reason = rule(facts);
    if (reason !== null) return reason;
  }
  return null;
}

/** Case and white space make no difference. */
function digestOf(submission: Submission): Buffer {
  const text = wholeText(submission).toLowerCase().replace(/\s+/g, ' ').trim();
  return createHash('sha256').update(text).digest();
}
