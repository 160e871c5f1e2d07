// The executable. Everything else is in GetBananas, since the variables of this file would be global.

import Platform

CurrentProcess.exit(GetBananas.run(CommandLine.arguments))
