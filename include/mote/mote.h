/* mote/mote.h: the whole public interface. */
#ifndef MOTE_MOTE_H
#define MOTE_MOTE_H

#include "mote/base.h"
#include "mote/catalog.h"
#include "mote/checkpoint.h"
#include "mote/mesh.h"
#include "mote/probe.h"
#include "mote/run.h"
#include "mote/scene.h"
#include "mote/search.h"
#include "mote/surface.h"
#include "mote/world.h"

#endif
