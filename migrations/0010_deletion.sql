DROP INDEX `corpus_live_name`;--> statement-breakpoint
ALTER TABLE `corpus` ADD `deleted_by` text;--> statement-breakpoint
ALTER TABLE `corpus` ADD `recoverable_until` integer;--> statement-breakpoint
ALTER TABLE `corpus` ADD `pending` integer;--> statement-breakpoint
ALTER TABLE `corpus` ADD `undelete_seconds` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `corpus_name` ON `corpus` (`name`) WHERE deleted IS NULL OR recoverable_until IS NOT NULL;--> statement-breakpoint
CREATE INDEX `corpus_pending` ON `corpus` (`pending`) WHERE pending IS NOT NULL;