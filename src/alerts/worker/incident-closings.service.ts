import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { IssueStates } from '../../workspace/issues/issue-states.service.js';
import { writeSystemNotes } from '../../workspace/notes/notes.repository.js';
import { AlertBot } from '../../identity/users/alert-bot.service.js';
import { AlertIncidentsRepository } from '../alert-incidents.repository.js';
import type { DueReaction, ReactionOutcome, ReactionWork } from './reaction-work.js';

const NOTE = 'automatically closed this incident because the alert resolved';

/** Closes incidents whose alerts have all recovered. */
@Injectable()
export class IncidentClosings implements ReactionWork {
  readonly kind = 'close_incident';

  constructor(
    private readonly incidents: AlertIncidentsRepository,
    private readonly states: IssueStates,
    private readonly bot: AlertBot,
  ) {}

  async react(tx: EntityManager, due: DueReaction[]): Promise<ReactionOutcome> {
    const actorId = await this.bot.id();
    const alertIds = due.map(({ alertId }) => alertId);
    const issueIds = await this.incidents.listIssueIds(tx, alertIds);
    // Incidents first and then their alerts, as when people close them.
    const open = await this.incidents.lockClosable(tx, issueIds);
    const recovered = await this.incidents.listRecovered(tx, open);
    const closed = await this.states.close(tx, recovered, { actorId });
    const notes = closed.map((issueId) => ({ issueId, authorId: actorId, body: NOTE }));
    await writeSystemNotes((text, values) => tx.query(text, values), notes);
    const summary = closed.length === 0 ? null : `Closed ${closed.length} incidents`;
    return { busy: [], summary };
  }
}
