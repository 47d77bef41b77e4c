CREATE TABLE `audit` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`key` text NOT NULL,
	`door` text NOT NULL,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`outcome` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_at` ON `audit` (`at`,`id`);--> statement-breakpoint
ALTER TABLE `corpus` ADD `audit` text;