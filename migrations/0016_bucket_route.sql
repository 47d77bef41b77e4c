CREATE TABLE `bucket_route` (
	`uid` text NOT NULL,
	`source` text NOT NULL,
	`bucket` text NOT NULL,
	`prefix` text NOT NULL,
	PRIMARY KEY(`uid`, `source`)
);
--> statement-breakpoint
CREATE INDEX `bucket_route_bucket` ON `bucket_route` (`bucket`,`uid`);