import { Controller, Get, Param, Query } from '@nestjs/common';
import { Feed, FEED_TOKEN_PARAM, Page } from '../../core/access/access.decorator.js';
import { CurrentUser, type Viewer } from '../../core/access/auth-context.js';
import type { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/paths.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { atomResponse, type AtomEntry } from '../../core/ui/atom.js';
import type { PageContext } from '../../core/ui/page-context.js';
import { Context } from '../../core/ui/page-contexts.service.js';
import { CurrentGroup, GroupPage } from '../../workspace/groups/group-access.guard.js';
import type { GroupRow } from '../../workspace/groups/groups.repository.js';
import { CurrentProject, ProjectPage } from '../../workspace/projects/project-access.guard.js';
import { fullPathOf, type ProjectRow } from '../../workspace/projects/projects.repository.js';
import { describeEvent, sentenceText } from './event-sentence.js';
import { feedParams, FeedReader, type FeedEvent, type ShownFeed } from './feed-reader.service.js';

type RawQuery = Record<string, unknown>;

/** The pages of activity as Atom feeds (RFC 4287), with the same visibility and filters. */
@Controller(atRoot())
export class AtomFeedsController {
  constructor(private readonly feeds: FeedReader) {}

  /** Feed of the projects of a group and below. */
  @Get('groups/*group_path/-/activity.atom')
  @Feed()
  @GroupPage('read_group', 'anyone')
  async ofGroup(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
    @Query() query: RawQuery,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const { viewer } = pageContext;
    const feed = await this.feeds.ofGroup(group, { viewer, query, paging });
    return answer(pageContext, { feed, query, title: `${group.fullPath} activity` });
  }

  /** Feed of a project. */
  @Get('*project_path/-/activity.atom')
  @Feed()
  @ProjectPage('read_project', 'anyone')
  async ofProject(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() query: RawQuery,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const { viewer } = pageContext;
    const feed = await this.feeds.ofProject(project, { viewer, query, paging });
    return answer(pageContext, { feed, query, title: `${fullPathOf(project)} activity` });
  }

  /** Feed of a user. */
  @Get('users/:username/activity.atom')
  @Feed()
  @Page('anyone')
  async ofUser(
    @Context() pageContext: PageContext,
    @Param('username') username: string,
    @Query() query: RawQuery,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const { viewer } = pageContext;
    const { user, feed } = await this.feeds.ofUser(username, { viewer, query, paging });
    return answer(pageContext, { feed, query, title: `Activity of ${user.name}` });
  }

  /** Feed of the projects that the viewer is a member of. */
  @Get('dashboard/activity.atom')
  @Feed()
  @Page('signed_in')
  async ofMember(
    @Context() pageContext: PageContext,
    @CurrentUser() viewer: Viewer,
    @Query() query: RawQuery,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const feed = await this.feeds.ofMember(viewer, { query, paging });
    return answer(pageContext, { feed, query, title: 'Activity in your projects' });
  }
}

interface Answer {
  feed: ShownFeed;
  query: RawQuery;
  title: string;
}

function answer({ baseUrl }: PageContext, { feed, query, title }: Answer): HttpResponse {
  const params = new URLSearchParams(feedParams(feed.query));
  const page = [feed.path, params.toString()].filter((part) => part !== '').join('?');
  // A reader that takes over the address from here must be able to go on using it.
  const token = query[FEED_TOKEN_PARAM];
  if (typeof token === 'string') params.set(FEED_TOKEN_PARAM, token);
  const self = [`${feed.path}.atom`, params.toString()].filter((part) => part !== '').join('?');
  const entries = feed.page.items.map(entryOf);
  return atomResponse({ baseUrl, title, self, page, entries });
}

function entryOf(feedEvent: FeedEvent): AtomEntry {
  const { event, project } = feedEvent;
  const { author } = event;
  const sentence = describeEvent(feedEvent);
  const name = author?.name ?? 'Deleted user';
  return {
    title: `${name} ${sentenceText(sentence)}`,
    id: `/-/events/${event.id}`,
    href: sentence.subject?.href ?? `/${project.fullPath}/-/activity`,
    published: event.createdAt,
    updated: event.createdAt,
    author: { name, href: author && `/${author.username}` },
    category: project.fullPath,
    summary: event.note?.body ?? event.commitTitle,
  };
}
