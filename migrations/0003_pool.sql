ALTER TABLE `corpus` ADD `database` text;--> statement-breakpoint
ALTER TABLE `corpus` ADD `location_hint` text;--> statement-breakpoint
CREATE INDEX `corpus_database` ON `corpus` (`database`) WHERE deleted IS NULL;