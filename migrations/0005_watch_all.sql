-- Every corpus there is was woken by the schedule until now: it is woken once more, and then looks after itself.
INSERT INTO `watch` (`uid`, `due`) SELECT `uid`, 0 FROM `corpus` WHERE `deleted` IS NULL;
