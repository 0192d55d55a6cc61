import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { lockForChange } from '../../projects/change-lock.js';
import { IntegrationLookup } from '../webhook/integration-lookup.service.js';

/** Transactions that change integrations of one project, one after the other. */
@Injectable()
export class IntegrationTransactions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly lookup: IntegrationLookup,
  ) {}

  /**
   * Runs the work with the project locked; throws 403 for an archived one, 404 for one that is
   * being deleted. This process' webhook knows of the change before it is answered.
   */
  async run<T>(projectId: number, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const result = await this.dataSource.transaction(async (tx) => {
      await lockForChange(tx, projectId);
      return work(tx);
    });
    this.lookup.forget();
    return result;
  }
}
