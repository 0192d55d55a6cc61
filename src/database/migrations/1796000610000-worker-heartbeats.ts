import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Heartbeats of worker processes. */
export class WorkerHeartbeats1796000610000 implements MigrationInterface {
  name = 'WorkerHeartbeats1796000610000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE "worker_heartbeats" (
        "name" text NOT NULL,
        "started_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        "seen_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "pk_worker_heartbeats" PRIMARY KEY ("name")
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "worker_heartbeats"');
  }
}
